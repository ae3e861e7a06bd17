import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Change, SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { createDataSource } from "../../data-sources/service/edit-data-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin as anAdmin, asEditor } from "../../test/factories/principals.ts";
import { mysql as admin, asAdmin, mysqlConnection } from "../../test/mysql.ts";
import { evidenceSchema } from "../schema.ts";
import { gatherEvidence } from "./gather-evidence.ts";

/** The same shop on both engines. */
const shop = [
  "create table customers (id int primary key, email varchar(100), note varchar(100))",
  `insert into customers values
     (1, 'ada@example.com', 'calls'), (2, 'bob@example.com', null), (3, null, 'x'), (4, null, 'x'),
     (5, null, 'x'), (6, null, 'x'), (7, null, 'x')`,
];

let ctx: SignedIn;
let recorded: (Change & { outcome: string })[];
let postgresql: number;
let mysql: number;

beforeAll(async () => {
  recorded = [];
  ctx = {
    ...(await asEditor()),
    beginRun: async (change) => {
      const run = { ...change, outcome: "" };
      recorded.push(run);
      return async (outcome) => void Object.assign(run, { outcome });
    },
  };
  postgresql = (await aDataSource()).id;
  for (const statement of shop) await db.execute(sql.raw(statement));
  mysql = await aMysql();
  for (const statement of shop) await admin.query(statement);
});
afterAll(closeSources);

async function aMysql(): Promise<number> {
  const { password, ...connection } = mysqlConnection;
  const { id } = await aDataSource({ kind: "MySql" });
  await db
    .update(dataSources)
    .set({ connection, secret: encrypt(password, `data-source:${id}`) })
    .where(eq(dataSources.id, id));
  return id;
}

const sources = ["PostgreSQL", "MySQL"] as const;
const idOf = (source: (typeof sources)[number]) => (source === "MySQL" ? mysql : postgresql);
const kept = async (source: (typeof sources)[number]) =>
  source === "MySQL"
    ? (await asAdmin("select count(*) from customers")).map(([count]) => Number(count))
    : [...(await db.execute<{ count: string }>(sql`select count(*) from customers`))].map(({ count }) =>
        Number(count),
      );

describe.each(sources)("on %s", (source) => {
  const evidence = (text: string) => gatherEvidence(ctx, idOf(source), text);

  test("valid SQL comes with its first rows, its columns, and its estimated cost", async () => {
    const found = await evidence("select id, note from customers order by id");
    expect(found).toMatchObject({
      valid: true,
      issues: [],
      columns: [{ name: "id" }, { name: "note" }],
      rows: [
        [1, "calls"],
        [2, null],
        [3, "x"],
        [4, "x"],
        [5, "x"],
      ],
      truncated: true,
      maskedColumns: [],
      executionTimeMs: expect.any(Number),
      estimatedRows: expect.any(Number),
    });
    expect(found).not.toHaveProperty("omittedColumns");
    if (source === "PostgreSQL") expect(found.estimatedCost).toBeGreaterThan(0);
    // Stored and shown unchanged.
    expect(evidenceSchema.parse(found)).toEqual(found);
  });

  test("an empty result is evidence, too", async () => {
    expect(await evidence("select id from customers where id < 0")).toMatchObject({
      valid: true,
      columns: [{ name: "id" }],
      rows: [],
      truncated: false,
    });
  });

  test("personal data is masked, by column name and by content", async () => {
    const { rows, maskedColumns } = await evidence(
      "select email, email as said, id from customers where id in (1, 3) order by id",
    );
    expect(rows).toEqual([
      ["•••@•••••••.•••", "•••@•••••••.•••", 1],
      [null, null, 3],
    ]);
    expect(maskedColumns).toEqual(["email", "said"]);
  });

  test.each([
    "delete from customers",
    "select 1; delete from customers",
    "select 1; commit; delete from customers",
    "select * into copied from customers",
    "select id from customers for update",
    "",
  ])("%s is refused before anything runs", async (text) => {
    const found = await evidence(text);
    expect(found.valid).toBe(false);
    expect(found.issues.map(({ gate }) => gate)).toEqual([text === "" ? "limits" : "read-only"]);
    expect(found).not.toHaveProperty("rows");
    expect(await kept(source)).toEqual([7]);
  });

  test("a missing column is detected by the engine", async () => {
    expect(await evidence("select missing from customers")).toEqual({
      valid: false,
      issues: [{ gate: "engine", error: expect.stringMatching(/column .missing./i) }],
    });
  });

  test("a parameter has no value, so it is rejected", async () => {
    expect(await evidence("select id from customers where id = {{customer}}")).toMatchObject({
      valid: false,
      issues: [
        {
          gate: "parameters",
          error: "parameters.customer is required by the SQL, but proposed SQL cannot have parameters",
        },
      ],
    });
    // It would be treated as a parameter even in a string.
    expect(await evidence("select '{{customer}}'")).toMatchObject({ issues: [{ gate: "parameters" }] });
  });

  test("a run that takes too long is aborted, and says so", async () => {
    const slow =
      source === "MySQL"
        ? `with recursive n(n) as (select 1 union all select n + 1 from n where n < 900)
           select count(*) from n a, n b, n c, n d where a.n + b.n + c.n + d.n < 0`
        : "select pg_sleep(60)";
    const limits = { timeoutMs: 300, maxRows: 5, maxBytes: 10_000 };
    expect(await gatherEvidence(ctx, idOf(source), slow, limits)).toMatchObject({
      valid: false,
      issues: [{ gate: "run", error: "The statement took longer than 0.3 s and was cancelled" }],
      estimatedRows: expect.any(Number),
    });
  });

  test("unusual values can be stored: long, wide, and broken ones", async () => {
    const wide = Array.from({ length: 25 }, (_, n) => `${n} as c${n}`).join(", ");
    expect(await evidence(`select ${wide}`)).toMatchObject({
      valid: true,
      columns: Array.from({ length: 20 }, (_, n) => ({ name: `c${n}` })),
      rows: [Array.from({ length: 20 }, (_, n) => n)],
      omittedColumns: 5,
    });
    const { rows } = await evidence("select repeat('😀', 1000) as c1, repeat('x', 200) as c2");
    expect(String(rows?.[0]?.[0])).toHaveLength(199);
    expect(String(rows?.[0]?.[0]).isWellFormed()).toBe(true);
    expect(rows?.[0]?.[1]).toBe("x".repeat(200));
  });
});

test("on PostgreSQL, hidden writes are rejected", async () => {
  for (const text of [
    "with gone as (delete from customers returning *) select * from gone",
    "with made as (insert into customers values (8) returning id) select id from made",
  ])
    expect(await gatherEvidence(ctx, postgresql, text)).toMatchObject({
      valid: false,
      issues: [{ gate: "read-only" }],
    });
  await db.execute(sql`
    create function lose() returns int language plpgsql as
      'begin delete from customers; return 1; end'`);
  expect(await gatherEvidence(ctx, postgresql, "select lose()")).toMatchObject({
    issues: [
      { gate: "read-only", error: expect.stringContaining("The function public.lose is not allowed") },
    ],
  });
  expect(await kept("PostgreSQL")).toEqual([7]);
});

test("SQL that plans well but fails when run says why, without values from the data", async () => {
  expect(await gatherEvidence(ctx, postgresql, "select 1 / (id - id) from customers")).toEqual({
    valid: false,
    issues: [{ gate: "run", error: "division by zero" }],
    estimatedCost: expect.any(Number),
    estimatedRows: expect.any(Number),
  });
  expect(
    await gatherEvidence(ctx, postgresql, "select email::int from customers where id = 1"),
  ).toMatchObject({
    issues: [{ gate: "run", error: 'invalid input syntax for type integer: "…"' }],
  });
  expect(
    await gatherEvidence(ctx, postgresql, "select ('ada' || left(note, 0))::int from customers"),
  ).toMatchObject({
    issues: [{ gate: "run", error: 'invalid input syntax for type integer: "ada"' }],
  });
  expect(
    await gatherEvidence(ctx, mysql, "select (select id from customers where id > a.id) from customers a"),
  ).toMatchObject({ issues: [{ gate: "run", error: "Subquery returns more than 1 row" }] });
});

test("text that cannot be stored is rejected", async () => {
  for (const text of ["select '\u0000'", "select '\ud800'", `select '${"x".repeat(100_000)}'`])
    expect(await gatherEvidence(ctx, postgresql, text)).toMatchObject({
      valid: false,
      issues: [{ gate: "limits" }],
    });
});

test("each run is in the audit log, with its outcome and without the text", async () => {
  const detailOf = async (text: string) => {
    recorded = [];
    await gatherEvidence(ctx, postgresql, text).catch(() => {});
    expect(recorded).toEqual([
      {
        action: "queries.preview",
        objectKind: "dataSource",
        objectId: postgresql,
        detail: expect.stringMatching(/^SQL of /),
        outcome: expect.any(String),
      },
    ]);
    expect(recorded[0]?.detail).not.toContain("customers");
    return recorded[0]?.outcome;
  };
  expect(await detailOf("select id from customers where id = 1")).toBe("1 row");
  expect(await detailOf("delete from customers")).toBe("Refused by read-only");
  expect(await detailOf("select 1 / (id - id) from customers")).toBe("Refused by run");
});

test("a data source that does not exist, does not run SQL, or does not respond gives no verdict", async () => {
  const away = await aDataSource({ connection: { host: "127.0.0.1", port: 1 } });
  recorded = [];
  await expect(gatherEvidence(ctx, away.id, "select 1")).rejects.toMatchObject({
    code: "source_unreachable",
  });
  expect(recorded).toMatchObject([{ outcome: "Data source did not answer" }]);
  // Problems found before contacting it are still known.
  expect(await gatherEvidence(ctx, away.id, "delete from customers")).toMatchObject({ valid: false });

  const { id: projectId } = await aProject();
  const api = await createDataSource(await anAdmin(), {
    ...{ projectId, name: "API", kind: "RestApi" },
    connection: { baseUrl: "https://api.example.com/", headers: {} },
  });
  await expect(gatherEvidence(ctx, api.id, "select 1")).rejects.toMatchObject({ code: "rejected" });
  const elsewhere = await asEditor({ projectIds: [projectId] });
  await expect(gatherEvidence(elsewhere, postgresql, "select 1")).rejects.toMatchObject({
    code: "not_found",
  });
});
