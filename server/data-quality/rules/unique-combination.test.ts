import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { sqlserver } from "../../data-sources/dialects/sqlserver.ts";
import { requireReadOnly } from "../../data-sources/engines/sqlserver/gate.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { compileRule, compileSample } from "../compile.ts";
import { createContractInput } from "../schema.ts";
import { collectDueSamples } from "../service/collect-samples.ts";
import { evaluateContract } from "../service/evaluate.ts";
import { getSamples } from "../service/get-samples.ts";
import { suggestRules } from "../service/suggest-rules.ts";

/** Combinations of columns, on a real PostgreSQL and a real MySQL. */

let ctx: SignedIn;
const sources = { PostgreSql: 0, MySql: 0 };

// Two stations, one of which reports the same day three times; rows with a NULL in the combination are ignored.
const days = `
  ('a', 1, 5), ('a', 2, 6), ('b', 1, 7), ('b', 2, 8), ('b', 2, 9), ('b', 2, 9), ('b', null, 1), ('b', null, 2)`;

beforeAll(async () => {
  ctx = await asAdmin();
  sources.PostgreSql = (await aDataSource()).id;
  sources.MySql = (await aDataSource({ kind: "MySql", connection: mysqlConnection })).id;
  for (const run of [(text: string) => sql.unsafe(text), (text: string) => mysql.query(text)]) {
    await run("create table reports (station varchar(10), day_number int, value int)");
    await run(`insert into reports values ${days}`);
    await run("create table visits (shop_id int not null, guest_id int not null, note varchar(10))");
    await run("insert into visits values (1, 1, 'x'), (1, 2, 'x'), (2, 1, 'y'), (2, 2, null), (3, 1, 'x')");
  }
});
afterAll(closeSources);

const input = (dataSourceId: number, columns: unknown, more: object = {}) => ({
  ...{
    name: "Reports",
    dataSourceId,
    tableName: "reports",
    cronExpression: "0 6 * * *",
    samples: "Full" as const,
  },
  rules: [{ ...aRule("UniqueCombination", { columns }), ...more }],
});

test.each(["PostgreSql", "MySql"] as const)("on %s, it counts combinations, and shows them", async (kind) => {
  const contract = await aContract(input(sources[kind], ["station", "day_number"]), ctx);
  const evaluation = await evaluateContract(ctx, contract.id);
  const [result] = evaluation.ruleResults;
  expect(result).toMatchObject({
    ...{ ruleType: "UniqueCombination", passed: false, couldRun: true, score: 0, message: null },
    expectedValue: "no duplicates",
    actualValue: "1 duplicated combination in 3 rows",
  });
  await collectDueSamples();
  const samples = await getSamples(ctx, { id: evaluation.id, ruleId: result?.ruleId ?? 0 });
  expect(samples.columns.map(({ name }) => name)).toEqual(["station", "day_number", "occurrences"]);
  expect(samples.rows.map((row) => row.map(String))).toEqual([["b", "2", "3"]]);
  expect(samples.totalFailing).toBe(1);
});

test.each(["PostgreSql", "MySql"] as const)("on %s, it passes where none comes twice", async (kind) => {
  const columns = ["shop_id", "guest_id"];
  const contract = await aContract({ ...input(sources[kind], columns), tableName: "visits" }, ctx);
  expect((await evaluateContract(ctx, contract.id)).ruleResults).toMatchObject([
    { passed: true, score: 100, actualValue: "no duplicates" },
  ]);
});

test("it is suggested if no column is unique, and only if it holds", async () => {
  const dataSourceId = sources.PostgreSql;
  const proposed = async (tableName: string) =>
    (await suggestRules(ctx, { dataSourceId, tableName })).items.filter(
      ({ rule }) => rule.type === "UniqueCombination",
    );
  expect(await proposed("visits")).toMatchObject([
    {
      rule: { column: null, severity: "High", configuration: { columns: ["shop_id", "guest_id"] } },
      evidence: expect.stringMatching(/^No column is unique, .* all 5 rows were sampled/),
    },
  ]);
  expect(await proposed("reports")).toEqual([]);
  await sql`alter table visits add primary key (guest_id, shop_id)`;
  await refreshSchema(ctx, dataSourceId);
  expect((await proposed("visits"))[0]?.evidence).toMatch(/^The primary key, /);
});

test("it has two or more distinct columns, and no single column in addition", () => {
  const problems = (columns: unknown, more: object = {}) =>
    createContractInput
      .safeParse(input(1, columns, more))
      .error?.issues.map(({ path, message }) => `${path.slice(2).join(".")} ${message}`);
  expect(problems(["a", "b"])).toBeUndefined();
  expect(problems(undefined)).toEqual(["configuration.columns is required"]);
  expect(problems(["a"])).toEqual(["configuration.columns needs at least two columns"]);
  expect(problems(["a", "a"])).toEqual(["configuration.columns must not name a column twice"]);
  expect(problems(["a", "b"], { column: "a" })).toEqual([
    "column is not known for this type; configuration.columns is",
  ]);
});

/** SQL Server is not available in every run, so its text is compared. */
test("on SQL Server it is written in T-SQL", () => {
  const target = { schemaName: "dbo", tableName: "odd]table" };
  const rule = { type: "UniqueCombination", configuration: { columns: ["a]b", "c"] } } as const;
  const texts = [
    compileRule(rule, target, sqlserver).statement.sql,
    compileSample(rule, target, sqlserver, { maxRows: 20 })?.sql ?? "",
  ];
  for (const text of texts) expect(() => requireReadOnly(text)).not.toThrow();
  const grouped =
    "from [dbo].[odd]]table] as checked where checked.[a]]b] is not null and checked.[c] is not null " +
    "group by checked.[a]]b], checked.[c] having count_big(*) > 1";
  expect(texts.map((text) => text.replace(/\s+/g, " "))).toEqual([
    "select count_big(*) as [duplicatedCombinations], coalesce(sum(duplicated.n), 0) as [duplicatedRows] " +
      `from (select count_big(*) as n ${grouped}) as duplicated`,
    "select top (20) checked.[a]]b] as [a]]b], checked.[c] as [c], count_big(*) as [occurrences] " +
      `${grouped} order by 3 desc`,
  ]);
});
