import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";
import { evaluateContract } from "./evaluate.ts";
import { suggestionLimits, suggestRules } from "./suggest-rules.ts";

/** Suggested rules for tables of a real PostgreSQL. */

let dataSourceId: number;

beforeAll(async () => {
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(`
    create schema shop;
    create table shop.customers (id int primary key, email text not null, note text);
    insert into shop.customers select n, 'c' || n || '@example.com', null from generate_series(1, 50) n;
    create table shop.orders (
      id bigint generated always as identity primary key, customer_id int references shop.customers (id),
      currency char(3) not null, status text, amount numeric(12, 2), ratio float8, placed_at timestamptz,
      due date, reference uuid, tags text[], extra json, "odd ""name" text);
    insert into shop.orders (customer_id, currency, status, amount, ratio, placed_at, due, reference, tags, extra, "odd ""name")
      select 1 + n % 50, (array['EUR', 'USD', 'GBP'])[1 + n % 3], (array['paid', 'open', 'sent'])[1 + n % 3],
        n * 1.25, n / 7.0, now() - n * interval '10 minutes', current_date + n, gen_random_uuid(), '{a}', '{}', 'X-' || n
      from generate_series(1, 200) n;
    update shop.orders set status = null where id <= 4;
    create table shop.empty (id int, at timestamptz);
    create view shop.recent as select id, currency, placed_at from shop.orders;
    create table shop.late (code text, at timestamp);
    insert into shop.late select case when n < 150000 then 'AB' || n % 7 else 'odd one' end, timestamp 'infinity' from generate_series(1, 150000) n;
    create table shop.large (id int primary key, code text, amount int, stray int);
    insert into shop.large select n, 'K-' || n, n % 100, case when n = 250000 then null else 1 end from generate_series(1, 300000) n;
    analyze shop.large`);
  const columns = Array.from(
    { length: 230 },
    (_, index) => `c${index} ${["int", "text", "numeric", "timestamptz"][index % 4]}`,
  );
  await sql.unsafe(`create table shop.wide (${columns.join(", ")})`);
  const values = columns.map(
    (_, index) => ["n", "'A-' || n", "n * 0.5", "now() - n * interval '1 minute'"][index % 4],
  );
  await sql.unsafe(`insert into shop.wide select ${values.join(", ")} from generate_series(1, 500) n`);
});
afterAll(closeSources);

const suggest = async (tableName: string) =>
  suggestRules(await asEditor(), { dataSourceId, schemaName: "shop", tableName });
const inShort = ({ rule }: Awaited<ReturnType<typeof suggest>>["items"][number]) => {
  const { column: _, ...own } = rule.configuration;
  return [rule.column, rule.type, own];
};

test("a table's properties become rules, each with its evidence", async () => {
  const { items, note } = await suggest("orders");
  expect(note).toBeNull();
  const found = items.map(inShort);
  for (const expected of [
    [null, "Volume", { minRows: 100, maxRows: 400 }],
    ["id", "Uniqueness", {}],
    ["id", "NullRate", { maxNullPercent: 0 }],
    ["customer_id", "Referential", { referenceTable: "customers", referenceColumn: "id" }],
    ["currency", "Pattern", { pattern: "^[A-Z]{3}$" }],
    ["status", "NullRate", { maxNullPercent: 3 }],
    ["status", "AllowedValues", { values: ["sent", "open", "paid"] }],
    ["amount", "Range", { min: "0", max: "300" }],
    ["placed_at", "Freshness", { maxAgeMinutes: 60 }],
    ["reference", "Uniqueness", {}],
    ['odd "name', "Pattern", { pattern: "^X-[0-9]+$" }],
    ["tags", "NullRate", { maxNullPercent: 0 }],
    ["extra", "NullRate", { maxNullPercent: 0 }],
  ])
    expect.soft(found).toContainEqual(expected);
  expect(found.filter(([column, type]) => column === "due" && type === "Freshness")).toEqual([]);
  expect(items.find(({ rule }) => rule.column === "status")?.evidence).toBe(
    "4 of all 200 rows are NULL (2.00%); 3% are allowed",
  );
});

test("a list of values names each with its rows in the whole table, and marks the rare ones", async () => {
  await sql.unsafe(`
    create table shop.sizes (id int primary key, size text, contact_email text);
    insert into shop.sizes select n,
      case when n <= 700 then 'small' when n <= 1180 then 'large' when n <= 1188 then 'Large' end,
      (array['a@example.com', 'b@example.com'])[1 + n % 2]
      from generate_series(1, 1200) n`);
  const { items } = await suggest("sizes");
  const lists = items.filter(({ rule }) => rule.type === "AllowedValues");
  expect(lists).toMatchObject([
    {
      rule: { column: "size", name: "size is one of 3 values" },
      evidence: "3 values in 1,188 rows; Large: 8 rows, 0.7%",
      values: [
        { value: "small", rows: 700, isRare: false },
        { value: "large", rows: 480, isRare: false },
        { value: "Large", rows: 8, isRare: true },
      ],
    },
  ]);
});

test.each(["orders", "customers", "recent", "late", "large", "wide"])(
  "every suggested rule for %s passes immediately",
  async (tableName) => {
    const editor = await asEditor();
    const { items } = await suggest(tableName);
    expect(items.length).toBeGreaterThan(0);
    const rules = items.map(({ rule }) => rule);
    const contract = await aContract({ dataSourceId, schemaName: "shop", tableName, rules }, editor);
    const { ruleResults, overallScore } = await evaluateContract(editor, contract.id);
    expect(ruleResults.filter(({ passed }) => !passed)).toEqual([]);
    expect(overallScore).toBe(100);
  },
);

describe("a table that is", () => {
  test("large is read in part, and what only holds for that part is not suggested", async () => {
    const { items, note } = await suggest("large");
    expect(note).toMatch(/^[\d,]+ rows of 300,000 were sampled; every rule was then checked on all rows$/);
    const found = items.map(inShort);
    expect(found).toContainEqual(["code", "Pattern", { pattern: "^K-[0-9]+$" }]);
    expect(found).toContainEqual(["id", "Uniqueness", {}]);
    expect(found).not.toContainEqual(["stray", "NullRate", { maxNullPercent: 0 }]);
  });

  test("wide is read up to a contract's limit", async () => {
    const { items, note } = await suggest("wide");
    expect(items).toHaveLength(200);
    expect(note).toContain("Only the first 200 of 230 columns were profiled");
    expect(note).toContain("a contract cannot have more rules");
  });

  test("empty gives no suggestions", async () => {
    expect(await suggest("empty")).toEqual({
      items: [],
      note: "The table is empty, so there is nothing to suggest",
    });
  });
});

test("rules that cannot be checked in time are omitted, which is reported", async () => {
  const { totalMs } = suggestionLimits;
  suggestionLimits.totalMs = 1;
  const { items, note } = await suggest("orders").finally(() => {
    suggestionLimits.totalMs = totalMs;
  });
  expect(items).toEqual([]);
  expect(note).toMatch(/could not be checked in time/);
});

test("a column dropped since the schema was read is ignored", async () => {
  await sql.unsafe("create table shop.changing (a int, b int); insert into shop.changing values (1, 2)");
  await suggest("changing");
  await sql.unsafe("alter table shop.changing drop column b");
  expect((await suggest("changing")).items.map(({ rule }) => rule.column)).toEqual([null, "a"]);
});

describe("by REST", () => {
  test("a key with the Execute scope is enough, and unknown objects are named", async () => {
    const cookie = await aSession("Editor");
    const post = (json: object) => rest("POST", "/data-quality/suggestions", { cookie, json });
    expect((await post({ dataSourceId, schemaName: "shop", tableName: "orders" })).status).toBe(200);
    const missing = await post({ dataSourceId, tableName: 'x"; drop table y; --' });
    expect([missing.status, missing.body.detail]).toEqual([
      422,
      'The data source has no table public.x"; drop table y; -- that its login can read',
    ]);
    expect((await post({ dataSourceId: 2_000_000_000, tableName: "orders" })).status).toBe(404);
    expect((await post({ dataSourceId, tableName: "orders", other: 1 })).status).toBe(400);
    const away = await aDataSource({ connection: { port: 1 } });
    expect((await post({ dataSourceId: away.id, tableName: "orders" })).status).toBe(502);
    const api = await aDataSource({
      kind: "RestApi",
      connection: { baseUrl: "https://a.example", headers: {} } as object,
    });
    expect((await post({ dataSourceId: api.id, tableName: "orders" })).status).toBe(422);
  });
});
