import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { sqlserver } from "../../data-sources/dialects/sqlserver.ts";
import { requireReadOnly } from "../../data-sources/engines/sqlserver/gate.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { getSchema } from "../../data-sources/service/read-schema.ts";
import { sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { compileDifferences, compileRule, compileSample } from "../compile.ts";
import { dryRunRuleInput } from "../dry-run-schema.ts";
import { createContractInput } from "../schema.ts";
import { collectDueSamples } from "../service/collect-samples.ts";
import { updateContract } from "../service/contracts.ts";
import { dryRunRule } from "../service/dry-run.ts";
import { evaluateContract } from "../service/evaluate.ts";
import { getSamples } from "../service/get-samples.ts";
import { readColumns } from "../service/read-columns.ts";
import type { TableColumn } from "./table-columns.ts";

/** Columns that changed since they were approved, on a real PostgreSQL and a real MariaDB. */

let ctx: SignedIn;
const kinds = ["PostgreSql", "MySql"] as const;
type Kind = (typeof kinds)[number];
const sources = { PostgreSql: 0, MySql: 0 };
const run = async (kind: Kind, text: string) => {
  if (kind === "PostgreSql") await sql.unsafe(text);
  else await mysql.query(text);
};
const quoted = (kind: Kind, name: string) => (kind === "PostgreSql" ? `"${name}"` : `\`${name}\``);

beforeAll(async () => {
  ctx = await asAdmin();
  sources.PostgreSql = (await aDataSource()).id;
  sources.MySql = (await aDataSource({ kind: "MySql", connection: mysqlConnection })).id;
});
afterAll(closeSources);

/** As each engine writes the types of the same table. */
const approved: Record<Kind, TableColumn[]> = {
  PostgreSql: [
    { name: "id", type: "integer", nullable: false },
    { name: "amount", type: "numeric(10,2)", nullable: true },
    { name: "code", type: "character varying(64)", nullable: false },
    { name: "the note, of it", type: "text", nullable: true },
  ],
  MySql: [
    { name: "id", type: "int(11)", nullable: false },
    { name: "amount", type: "decimal(10,2)", nullable: true },
    { name: "code", type: "varchar(64)", nullable: false },
    { name: "the note, of it", type: "text", nullable: true },
  ],
};

async function aTable(kind: Kind, tableName: string) {
  await run(
    kind,
    `create table ${tableName} (id int primary key, amount decimal(10, 2), code varchar(64) not null, ${quoted(kind, "the note, of it")} text)`,
  );
}

const input = (kind: Kind, tableName: string, configuration: object) => ({
  ...{ name: "Columns", dataSourceId: sources[kind], tableName, cronExpression: "0 6 * * *" },
  rules: [aRule("Schema", configuration as Record<string, unknown>)],
});

async function evaluated(kind: Kind, tableName: string, configuration: object = {}) {
  const contract = await aContract(
    input(kind, tableName, { columns: approved[kind], ...configuration }),
    ctx,
  );
  const evaluation = await evaluateContract(ctx, contract.id);
  return { contract, evaluation, result: evaluation.ruleResults[0] };
}

async function changesIn({ evaluation, result }: Awaited<ReturnType<typeof evaluated>>) {
  await collectDueSamples();
  return getSamples(ctx, { id: evaluation.id, ruleId: result?.ruleId ?? 0 });
}

test.each(kinds)("on %s, a table as approved passes", async (kind) => {
  await aTable(kind, "as_approved");
  const { result } = await evaluated(kind, "as_approved", { whenAdded: "Fail", whenMoved: "Fail" });
  expect(result).toMatchObject({
    ...{ ruleType: "Schema", passed: true, couldRun: true, score: 100, failing: 0, message: null },
    ...{ expectedValue: "4 columns as approved", actualValue: "no change" },
  });
});

test.each(kinds)("on %s, what is read now is what the catalog says, and fits a rule", async (kind) => {
  await aTable(kind, "read_now");
  // A name that differs only in case is another table on both.
  await run(kind, `create table ${quoted(kind, "READ_now")} (other int)`);
  const table = { dataSourceId: sources[kind], tableName: "read_now" };
  const { items } = await readColumns(ctx, table);
  expect(items).toEqual(approved[kind]);
  const schema = (await getSchema(ctx, sources[kind])).items.flatMap(({ tables }) => tables);
  const known = schema.find(({ tableName }) => tableName === "read_now");
  expect(known?.columns.map(({ name, type, nullable }) => ({ name, type, nullable }))).toEqual(items);
  // And it is the same the next time.
  expect((await readColumns(ctx, table)).items).toEqual(items);
});

test.each(kinds)("on %s, every kind of change is found, told, and approved", async (kind) => {
  await aTable(kind, "changing");
  const note = quoted(kind, "the note, of it");
  await run(kind, `alter table changing drop column ${note}`);
  await run(kind, "alter table changing add column seen_on date not null default '2026-01-01'");
  await run(
    kind,
    kind === "PostgreSql"
      ? "alter table changing alter amount type numeric(12, 2)"
      : "alter table changing modify amount decimal(12, 2)",
  );
  await run(
    kind,
    kind === "PostgreSql"
      ? "alter table changing alter code drop not null"
      : "alter table changing modify code varchar(64) null",
  );
  const done = await evaluated(kind, "changing");
  const decimal = kind === "PostgreSql" ? "numeric" : "decimal";
  expect(done.result).toMatchObject({
    ...{ passed: false, couldRun: true, score: 0, failing: 4 },
    actualValue: "1 column removed, 1 type changed, 1 nullability changed; reported only: 1 column added",
    message: [
      "the note, of it (text) was removed",
      `amount: ${decimal}(10,2) is now ${decimal}(12,2)`,
      "code may now be NULL",
      "seen_on (date not null) was added",
    ].join("\n"),
  });
  const sample = await changesIn(done);
  expect(sample.columns.map(({ name }) => name)).toEqual(["change", "column", "approved", "now", "effect"]);
  expect(sample).toMatchObject({
    totalFailing: 4,
    maskedColumns: [],
    rows: [
      ["column removed", "the note, of it", "text", null, "fails"],
      ["type changed", "amount", `${decimal}(10,2)`, `${decimal}(12,2)`, "fails"],
      ["nullability changed", "code", "not null", "may be NULL", "fails"],
      ["column added", "seen_on", null, "date not null", "reported only"],
    ],
  });

  const { items: columns } = await readColumns(ctx, {
    ...{ dataSourceId: sources[kind], tableName: "changing" },
  });
  const { id, key, revision } = { ...done.contract, key: done.contract.rules[0]?.key ?? "" };
  const next = input(kind, "changing", { columns });
  const rules = next.rules.map((rule) => ({ ...rule, key }));
  const write = createContractInput.parse({ ...next, rules });
  const after = await updateContract(ctx, { ...write, id, baseRevision: revision });
  expect(after.version).toBe(2);
  expect((await evaluateContract(ctx, id)).ruleResults[0]).toMatchObject({ passed: true, score: 100 });
});

test.each(kinds)(
  "on %s, each kind of change fails, is reported, or is ignored as its author says",
  async (kind) => {
    await aTable(kind, "told_apart");
    await run(kind, "alter table told_apart drop column amount");
    await run(kind, "alter table told_apart add column extra int");
    const only = await evaluated(kind, "told_apart", { whenRemoved: "Warn", whenAdded: "Ignore" });
    expect(only.result).toMatchObject({
      ...{ passed: true, score: 100, failing: 1, actualValue: "reported only: 1 column removed" },
    });
    // A rule that passes shows what it reports.
    expect((await changesIn(only)).rows).toEqual([
      ["column removed", "amount", expect.stringMatching(/\(10,2\)$/), null, "reported only"],
    ]);
    const none = await evaluated(kind, "told_apart", { whenRemoved: "Ignore", whenAdded: "Ignore" });
    expect(none.result).toMatchObject({ passed: true, failing: 0, message: null });
    const added = await evaluated(kind, "told_apart", { whenRemoved: "Ignore", whenAdded: "Fail" });
    expect(added.result).toMatchObject({ passed: false, score: 0, actualValue: "1 column added" });
  },
);

test.each(kinds)("on %s, the order counts if it is wanted", async (kind) => {
  await aTable(kind, "in_order");
  const [first, ...others] = approved[kind];
  const columns = [...others, ...(first ? [first] : [])];
  expect((await evaluated(kind, "in_order", { columns })).result).toMatchObject({ passed: true });
  expect((await evaluated(kind, "in_order", { columns, whenMoved: "Fail" })).result).toMatchObject({
    ...{ passed: false, failing: 1, actualValue: "1 column moved" },
    message: "id: moved from position 4 to position 1",
  });
});

test.each(kinds)("on %s, a table that is gone could not be checked", async (kind) => {
  const { result } = await evaluated(kind, "no_such_table");
  expect(result).toMatchObject({
    ...{ passed: false, couldRun: false, score: 0, failing: null },
    message: "Execution failed: The table does not exist, or the login cannot read any of its columns",
  });
  const table = { dataSourceId: sources[kind], tableName: "no'such`\"table" };
  await expect(readColumns(ctx, table)).rejects.toMatchObject({ code: "not_found" });
});

test.each(kinds)("on %s, views and names in quotes have columns, too", async (kind) => {
  await aTable(kind, "behind_view");
  const name = `odd.name "of" 'it'`;
  const view = kind === "PostgreSql" ? `"${name.replaceAll('"', '""')}"` : `\`${name}\``;
  await run(kind, `create view ${view} as select amount as ${quoted(kind, "a;b")} from behind_view`);
  const { items } = await readColumns(ctx, { dataSourceId: sources[kind], tableName: name });
  expect(items).toEqual([{ ...approved[kind][1], name: "a;b" }]);
  expect((await evaluated(kind, name, { columns: items })).result).toMatchObject({ passed: true });
});

test("on PostgreSQL, a domain, an array, a partitioned table, and a dropped column are read as they are", async () => {
  await sql.unsafe(`
    create domain positive as integer not null check (value > 0);
    create table partitioned (gone int, at date not null, n positive, tags text[]) partition by range (at);
    alter table partitioned drop column gone`);
  const { items } = await readColumns(ctx, { dataSourceId: sources.PostgreSql, tableName: "partitioned" });
  expect(items).toEqual([
    { name: "at", type: "date", nullable: false },
    { name: "n", type: "positive", nullable: false },
    { name: "tags", type: "text[]", nullable: true },
  ]);
});

test("a trial shows the difference, too", async () => {
  await aTable("PostgreSql", "tried");
  const columns = approved.PostgreSql.slice(1);
  const draft = dryRunRuleInput.parse({
    ...{ dataSourceId: sources.PostgreSql, tableName: "tried" },
    rule: aRule("Schema", { columns, whenAdded: "Fail" }),
  });
  expect(await dryRunRule(ctx, draft)).toMatchObject({
    ...{ passed: false, actualValue: "1 column added" },
    samples: { rows: [["column added", "id", null, "integer not null", "fails"]], totalFailing: 1 },
  });
});

test("1,500 columns are compared, and the first changes are listed", async () => {
  const names = Array.from({ length: 1500 }, (_, index) => `c${index}`);
  await sql.unsafe(`create table wide (${names.map((name) => `${name} smallint`).join(", ")})`);
  const { items } = await readColumns(ctx, { dataSourceId: sources.PostgreSql, tableName: "wide" });
  expect(items).toHaveLength(1500);
  const { result } = await evaluated("PostgreSql", "wide", {
    columns: items.map((column) => ({ ...column, type: "integer" })),
  });
  expect(result).toMatchObject({ passed: false, failing: 1500, actualValue: "1,500 types changed" });
  expect(result?.message?.split("\n")).toHaveLength(21);
  expect(result?.message).toMatch(/\nand 1,480 more changes$/);
});

test("what is not a list of columns is rejected by name", () => {
  const problems = (configuration: object) =>
    createContractInput
      .safeParse({ ...input("PostgreSql", "t", configuration), dataSourceId: 1 })
      .error?.issues.map(({ path, message }) => `${path.slice(3).join(".")} ${message}`);
  const column = (name: string) => ({ name, type: "integer", nullable: true });
  expect(problems({ columns: [column("a"), column("A")] })).toBeUndefined();
  expect(problems({})).toEqual(["columns is required"]);
  expect(problems({ columns: [] })).toEqual(["columns needs at least one column"]);
  expect(problems({ columns: [column("a"), column("b"), column("a")] })).toEqual([
    "columns.2.name is listed twice",
  ]);
  const many = (count: number) => Array.from({ length: count }, (_, index) => column(`c${index}`));
  expect(problems({ columns: many(2000) })).toBeUndefined();
  expect(problems({ columns: many(2001) })).toEqual(["columns can have at most 2000 columns"]);
  expect(problems({ columns: [{ name: "a", type: "integer" }] })).toEqual(["columns.0.nullable is required"]);
  expect(problems({ columns: ["a"] })).toHaveLength(1);
  expect(problems({ columns: [{ ...column("a"), size: 1 }] })).toEqual([
    "columns.0.size is not a known property",
  ]);
  expect(problems({ columns: [column("a")], whenAdded: "Maybe" })).toHaveLength(1);
  // It is not about rows.
  expect(problems({ columns: [column("a")], where: "a > 1" })).toEqual(["where is not a known property"]);
});

/** SQL Server is not available in every run, so its text is compared. */
test("on SQL Server it is written in T-SQL", () => {
  const target = { schemaName: "dbo", tableName: "pay]ments" };
  const rule = { type: "Schema", configuration: { columns: approved.PostgreSql } } as const;
  const { statement, sharesScan } = compileRule(rule, target, sqlserver);
  expect(sharesScan).toBeNull();
  expect(compileSample(rule, target, sqlserver, { maxRows: 20 })).toBeNull();
  expect(compileDifferences(rule, target, sqlserver)?.statement).toEqual(statement);
  expect(() => requireReadOnly(statement.sql)).not.toThrow();
  expect(statement.ownSql).toBe(true);
  expect(statement.parameters).toEqual(Array(3).fill("[dbo].[pay]]ments]"));
  const text = statement.sql.replace(/\s+/g, " ");
  expect(text).toMatch(/^select c\.name as name, t\.name \+ case when t\.name in \(N'char', /);
  expect(text).toContain("case when c.is_nullable = 1 then 'YES' else 'NO' end as nullable");
  expect(text).toContain("where o.object_id = object_id(@p1) and o.type in ('U', 'V')");
  expect(text).toMatch(/order by c\.column_id$/);
});
