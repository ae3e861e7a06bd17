import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { postgresql } from "../../data-sources/dialects/postgresql.ts";
import { type Limits, SourceError, type Statement } from "../../data-sources/engines/engine.ts";
import { closeSources, useSource } from "../../data-sources/service/connected-sources.ts";
import { deleteDataSource } from "../../data-sources/service/edit-data-sources.ts";
import { sql } from "../../db/client.ts";
import { problemIn } from "../../errors.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { dryRunRuleInput } from "../dry-run-schema.ts";
import { createContractInput } from "../schema.ts";
import { dryRunRule } from "../service/dry-run.ts";
import { evaluateContract } from "../service/evaluate.ts";
import { compareTables } from "./compare-tables.ts";
import type { Side } from "./sides.ts";

/** What can be wrong with two tables, and with who compares them. */

let ctx: SignedIn;
let source: { id: number; projectId: number };
let other: { id: number };

beforeAll(async () => {
  ctx = await asAdmin();
  source = await aDataSource({ name: "Shop" });
  other = await aDataSource({ name: "Lake", projectId: source.projectId });
  await sql.unsafe(`
    create table orders (id bigint, code text, amount numeric(10,2), tags int[], placed date);
    insert into orders select i, 'k' || i, i, null, '2026-01-01' from generate_series(1, 100) as i;
    create table twice as select * from orders union all select 7, 'k7', 8, null, '2026-01-01';
    create table unnamed as select * from orders union all select null, null, 1, null, null;
    create table nothing (id bigint, code text, amount numeric(10,2), tags int[], placed date);
    create table dated as select id, code, amount::text as amount, placed::timestamp as placed from orders`);
});
afterAll(closeSources);

/** A dry run of a comparison of `orders`, as a person tries it. */
const tried = (configuration: Record<string, unknown>, tableName = "orders", by = ctx) =>
  dryRunRule(
    by,
    dryRunRuleInput.parse({
      ...{ dataSourceId: source.id, tableName, samples: "Full" },
      rule: aRule("Compare", configuration),
    }),
  );

const rows = { otherTable: "orders", key: ["id"] };

test.each<[string, Record<string, unknown>, string, string]>([
  [
    "another table that does not exist",
    { ...rows, otherTable: "gone" },
    "orders",
    "The other table does not exist, or the login cannot read any of its columns",
  ],
  [
    "a table that does not exist",
    rows,
    "gone",
    "This table does not exist, or the login cannot read any of its columns",
  ],
  [
    "a count of a table that does not exist",
    { by: "RowCount", otherTable: "gone" },
    "orders",
    "The other table does not exist",
  ],
  [
    "a key that is missing there",
    { otherTable: "dated", key: ["tags"] },
    "orders",
    "The other table has no column tags",
  ],
  [
    "a column that is missing here",
    { ...rows, columns: ["nope"] },
    "orders",
    "This table has no column nope",
  ],
  [
    "types that cannot be compared",
    { otherTable: "dated", key: ["id"], columns: ["amount"] },
    "orders",
    "amount cannot be compared: numeric(10,2) here, text there",
  ],
  [
    "a type without a text",
    { ...rows, columns: ["tags"] },
    "orders",
    "tags cannot be compared: integer[] is not supported",
  ],
  [
    "a key that is not unique",
    { otherTable: "twice", key: ["id"] },
    "orders",
    "the key is not unique: in the other table, id occurs more than once",
  ],
  [
    "a text key that is not unique",
    { otherTable: "orders", key: ["code"] },
    "twice",
    "the key is not unique: in this table, code occurs more than once",
  ],
  ["a key that is NULL", { ...rows }, "unnamed", "this table has 1 row without a key: id must not be NULL"],
  [
    "a key of two that is NULL",
    { otherTable: "unnamed", key: ["id", "code"] },
    "orders",
    "the other table has 1 row without a key: id, code must not be NULL",
  ],
  [
    "a sum of texts",
    { by: "Aggregates", otherTable: "orders", columns: ["code"] },
    "orders",
    "code is text and has no sum",
  ],
  ["a condition that is no SQL", { ...rows, where: "amount >" }, "orders", ""],
  ["a condition that writes", { ...rows, where: "1 = 1) as x; drop table orders; --" }, "orders", ""],
  [
    "a condition that calls what is not allowed",
    { ...rows, where: "pg_advisory_lock(1) is null" },
    "orders",
    "",
  ],
])("%s could not run, and says so", async (_, configuration, table, message) => {
  const result = await tried(configuration, table);
  expect(result).toMatchObject({ passed: false, couldRun: false, score: 0, samples: null });
  expect(result.message).toContain(`Execution failed: ${message}`);
});

test("types that cannot be compared are left out and named, if nobody asked for them", async () => {
  expect(await tried({ otherTable: "dated", key: ["id"] })).toMatchObject({
    ...{ passed: true, actualValue: "100 rows, all the same" },
    message:
      "Not compared: amount (numeric(10,2) here, text there), placed (date here, timestamp without time zone there)",
  });
});

test("empty tables are the same, and one empty table lacks every row", async () => {
  expect(await tried(rows, "nothing")).toMatchObject({
    ...{ passed: false, failing: 100 },
    actualValue: "100 rows of 0 here and 100 there differ: 100 only there",
  });
  expect(await tried({ ...rows, otherTable: "nothing" })).toMatchObject({ failing: 100 });
  expect(await tried({ ...rows, otherTable: "nothing" }, "nothing")).toMatchObject({
    ...{ passed: true, actualValue: "0 rows, all the same" },
  });
  expect(
    await tried({ by: "Aggregates", otherTable: "nothing", columns: ["amount"] }, "nothing"),
  ).toMatchObject({ passed: true });
});

test("rows that differ are masked in a sample", async () => {
  await sql.unsafe(`create table people (id int primary key, email text);
    insert into people values (1, 'ada@example.com'); create table peoples as select 1 as id, 'eve@example.org'::text as email`);
  const asked = (samples: string) =>
    dryRunRule(
      ctx,
      dryRunRuleInput.parse({
        ...{ dataSourceId: source.id, tableName: "people", samples },
        rule: aRule("Compare", { otherTable: "peoples", key: ["id"] }),
      }),
    );
  const { samples } = await asked("Masked");
  expect(samples?.maskedColumns).toEqual(["email", "email (other table)"]);
  expect(JSON.stringify(samples)).not.toMatch(/ada|eve/);
  expect((await asked("Full")).samples?.rows).toEqual([
    ["1", "different", "ada@example.com", "eve@example.org"],
  ]);
  expect((await asked("Off")).samples).toBeNull();
});

test("only who may see the other data source can compare with it", async () => {
  const elsewhere = await aDataSource({ projectId: (await aProject()).id });
  const restricted = await asEditor({ projectIds: [source.projectId] });
  const input = (otherDataSourceId: number) =>
    createContractInput.parse({
      ...{ name: "Orders", dataSourceId: source.id, tableName: "orders", cronExpression: "0 6 * * *" },
      rules: [aRule("Compare", { ...rows, otherDataSourceId })],
    });
  const code = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error) => problemIn(error),
    );
  expect(await code(aContract(input(elsewhere.id), restricted))).toMatchObject({ code: "not_found" });
  expect(await code(tried({ ...rows, otherDataSourceId: elsewhere.id }, "orders", restricted))).toMatchObject(
    {
      code: "not_found",
    },
  );
  expect(await code(aContract(input(2_000_000_000), ctx))).toMatchObject({ code: "not_found" });
  // An administrator sees both projects, and still cannot mix them.
  expect(await code(aContract(input(elsewhere.id), ctx))).toMatchObject({
    code: "invalid",
    more: {
      errors: [{ path: "rules.0.configuration.otherDataSourceId", message: "must be in the same project" }],
    },
  });
  expect(await code(aContract(input(other.id), restricted))).toBeNull();
});

test("a data source in use by a comparison cannot be deleted, and says so", async () => {
  const used = await aDataSource({ name: "Used", projectId: source.projectId });
  const contract = await aContract(
    {
      dataSourceId: source.id,
      tableName: "orders",
      rules: [aRule("Compare", { ...rows, otherDataSourceId: used.id })],
    },
    ctx,
  );
  await expect(deleteDataSource(ctx, used.id)).rejects.toMatchObject({
    code: "conflict",
    detail:
      "The data source is still used by rules that compare a table with one of its tables, also of archived data contracts",
  });
  expect(contract.rules[0]).not.toHaveProperty("otherDataSourceId");
  await sql`update rules set configuration = configuration - 'otherDataSourceId' where contract_id = ${contract.id}`;
  await deleteDataSource(ctx, used.id);
});

test("an unreachable other data source fails the rule, and this one's makes the evaluation an outage", async () => {
  const away = await aDataSource({
    ...{ name: "Away", projectId: source.projectId, connection: { host: "127.0.0.1", port: 1 } },
  });
  const contract = (dataSourceId: number, otherDataSourceId: number) =>
    aContract(
      { dataSourceId, tableName: "orders", rules: [aRule("Compare", { ...rows, otherDataSourceId })] },
      ctx,
    );
  const failed = await evaluateContract(ctx, (await contract(source.id, away.id)).id);
  expect(failed).toMatchObject({ notEvaluatedBecause: null, ruleResults: [{ couldRun: false }] });
  expect(failed.ruleResults[0]?.message).toMatch(/^Execution failed: public\.orders in Away: .*refused/);
  const outage = await evaluateContract(ctx, (await contract(away.id, source.id)).id);
  expect(outage.notEvaluatedBecause).toMatch(/refused/);
});

test("many comparisons of one data source with itself never wait for each other's connections", async () => {
  const contracts = await Promise.all(
    Array.from({ length: 8 }, () =>
      aContract(
        {
          ...{ dataSourceId: source.id, tableName: "orders" },
          rules: [aRule("Compare", { ...rows, otherDataSourceId: other.id }), aRule("Compare", rows)],
        },
        ctx,
      ),
    ),
  );
  const evaluations = await Promise.all(contracts.map(({ id }) => evaluateContract(ctx, id)));
  expect(evaluations.map(({ overallScore }) => overallScore)).toEqual(contracts.map(() => 100));
});

/** A side of this data source that can be made to do something before a statement. */
const sideOf = (
  name: Side["name"],
  tableName: string,
  before: (sql: string) => Promise<void> | void,
): Side => ({
  ...{ name, dialect: postgresql, target: { schemaName: "public", tableName }, where: undefined },
  async read(statement: Statement, limits: Limits) {
    await before(statement.sql);
    return useSource(source.id, (_, lent) => lent.session((session) => session.read(statement, limits)));
  },
});

const asked = (otherTable: string, before: (sql: string) => Promise<void> | void) => ({
  sides: [sideOf("this table", "orders", () => {}), sideOf("the other table", otherTable, before)] as const,
  configuration: { by: "Rows" as const, otherTable, key: ["id"] },
  ...{ options: {}, otherName: `public.${otherTable}`, samples: "Full" as const, timeoutMs: 60_000 },
});

test("a table that changes meanwhile is named", async () => {
  await sql`create table moving as select * from orders`;
  await sql`update moving set amount = 0 where id = 5`;
  let counted = false;
  const verdict = await compareTables(
    asked("moving", async (text) => {
      // After the parts were counted, before the rows of those that differ are fetched.
      if (counted && text.includes("as position")) await sql`update moving set amount = 1 where id = 5`;
      counted ||= text.includes("cut.part");
    }),
  );
  expect(verdict).toMatchObject({ passed: false, couldRun: true });
  expect(verdict.message).toBe(
    "Not compared: tags (integer[] is not supported). The other table changed while it was compared, so some rows may differ only because they were read before and after",
  );
});

test("a data source that stops half-way leaves what was compared", async () => {
  await sql`create table slow as select * from orders where id <> 3`;
  let counts = 0;
  const verdict = await compareTables(
    asked("slow", (text) => {
      if (text.includes("cut.part") && ++counts === 2)
        throw new SourceError("timeout", "The statement took longer than 60 s and was cancelled");
    }),
  );
  expect(verdict.couldRun).toBe(false);
  // The first stretch is a sixteenth of the keys: of 100 in as many parts, 7.
  expect(verdict.message).toMatch(
    /^Execution failed: the other table took too long \(.*60 s.*\): 7 rows here and 6 there were compared, of which 1 differ$/,
  );
});
