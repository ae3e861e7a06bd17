import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { postgresql } from "../../data-sources/dialects/postgresql.ts";
import { sqlserver } from "../../data-sources/dialects/sqlserver.ts";
import { requireReadOnly } from "../../data-sources/engines/sqlserver/gate.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { compileRule, compileSample } from "../compile.ts";
import { type ContractInput, createContractInput } from "../schema.ts";
import { collectDueSamples } from "../service/collect-samples.ts";
import { evaluateContract } from "../service/evaluate.ts";
import { getSamples } from "../service/get-samples.ts";

/** Which rows a rule is about and how many may fail, on a real PostgreSQL and a real MySQL; expected values by hand. */

let ctx: SignedIn;
const sources = { PostgreSql: 0, MySql: 0 };
const kinds = ["PostgreSql", "MySql"] as const;

beforeAll(async () => {
  ctx = await asAdmin();
  sources.PostgreSql = (await aDataSource()).id;
  sources.MySql = (await aDataSource({ kind: "MySql", connection: mysqlConnection })).id;
  const servers = [
    { run: (text: string) => sql.unsafe(text), ago: (n: number) => `now() - interval '${n} hours'` },
    { run: (text: string) => mysql.query(text), ago: (n: number) => `utc_timestamp() - interval ${n} hour` },
  ];
  for (const { run, ago } of servers) {
    await run("create table buyers (id int primary key)");
    await run("insert into buyers values (1), (2)");
    await run(
      "create table sales (id int primary key, status varchar(10), amount int, code varchar(10), buyer_id int, placed_at timestamp null)",
    );
    // Six paid: 1 to 4 of today, 7 and 8 of four days ago. Buyer 9 does not exist.
    await run(`insert into sales values
      (1, 'paid', 10, 'A1', 1, ${ago(1)}), (2, 'paid', 20, 'A2', 2, ${ago(1)}),
      (3, 'paid', -5, 'A3', 9, ${ago(1)}), (4, 'paid', null, 'bad', 1, ${ago(1)}),
      (5, 'draft', -1, 'A1', 9, ${ago(1)}), (6, 'draft', -2, 'bad2', 9, ${ago(1)}),
      (7, 'paid', 30, 'A7', 2, ${ago(100)}), (8, 'paid', -9, 'A7', 2, ${ago(100)}),
      (9, 'draft', 5, 'A9', 1, ${ago(100)}), (10, 'draft', 6, 'A9', 1, ${ago(100)})`);
  }
});
afterAll(closeSources);

type RuleInput = ContractInput["rules"][number];
const input = (dataSourceId: number, rules: RuleInput[]) => ({
  ...{ name: "Sales", dataSourceId, tableName: "sales", cronExpression: "0 6 * * *" },
  ...{ samples: "Full" as const, rules },
});

async function evaluated(kind: (typeof kinds)[number], ...rules: RuleInput[]) {
  const contract = await aContract(input(sources[kind], rules), ctx);
  return evaluateContract(ctx, contract.id);
}

const paid = { where: "status = 'paid' -- not drafts" };
const positive = { column: "amount", min: "0" };
const references = { column: "buyer_id", referenceTable: "buyers", referenceColumn: "id" };

test.each(kinds)("on %s, every type is about the rows of its condition", async (kind) => {
  const { ruleResults } = await evaluated(
    kind,
    aRule("Volume", { minRows: 6, maxRows: 6, ...paid }),
    aRule("NullRate", { column: "amount", maxNullPercent: 0, ...paid }),
    aRule("Range", { ...positive, ...paid }),
    aRule("Pattern", { column: "code", pattern: "^A[0-9]$", ...paid }),
    aRule("Referential", { ...references, ...paid }),
    aRule("AllowedValues", { column: "code", values: ["A1", "A2", "A3", "A7"], ...paid }),
    aRule("RowCondition", { condition: "amount > 0", ...paid }),
    aRule("Freshness", { column: "placed_at", maxAgeMinutes: 120, where: "id >= 7" }),
  );
  expect(
    ruleResults.map(({ ruleType, passed, score, actualValue }) => [ruleType, passed, score, actualValue]),
  ).toEqual([
    ["Volume", true, 100, "6 rows"],
    // 1 of 6 is 16.6667 %.
    ["NullRate", false, 83.33, "16.6667% (1 of 6 rows)"],
    ["Range", false, 66.67, "2 of 6 rows out of range"],
    ["Pattern", false, 0, "1 row without a match"],
    ["Referential", false, 0, "1 row without a match"],
    ["AllowedValues", false, 0, "1 other value in 1 row"],
    ["RowCondition", false, 66.67, "2 of 6 rows fail"],
    ["Freshness", false, 0, expect.stringMatching(/^6,00\d(\.\d+)? min old$/)],
  ]);
  expect(ruleResults[2]?.expectedValue).toBe("at least 0, where status = 'paid' -- not drafts");
  expect(ruleResults[0]?.expectedValue).toBe("6 rows, where status = 'paid' -- not drafts");
  expect(ruleResults[7]?.expectedValue).toBe("at most 120 min old, counting only rows where id >= 7");
});

test.each(kinds)("on %s, a rule can be about the last hours, and a condition besides", async (kind) => {
  const today = { lastHours: 48, timeColumn: "placed_at" };
  const { ruleResults } = await evaluated(
    kind,
    aRule("Volume", { minRows: 6, maxRows: 6, ...today }),
    aRule("Range", { ...positive, ...today, ...paid }),
  );
  expect(ruleResults).toMatchObject([
    { passed: true, expectedValue: "6 rows, in the last 2 days by placed_at" },
    // 1 of the 4 that are paid.
    {
      ...{ score: 75, actualValue: "1 of 4 rows out of range" },
      expectedValue: "at least 0, in the last 2 days by placed_at where status = 'paid' -- not drafts",
    },
  ]);
});

test.each(kinds)(
  "on %s, a condition hides no duplicate in the rest of the table unless told to",
  async (kind) => {
    const { ruleResults } = await evaluated(
      kind,
      // A1 is of a paid one and of a draft, A7 of two that are paid, A9 of two drafts.
      aRule("Uniqueness", { column: "code", ...paid }),
      aRule("Uniqueness", { column: "code", ...paid, duplicatesAmong: "Rows" }),
      aRule("UniqueCombination", { columns: ["code", "buyer_id"], where: "id in (9, 1)" }),
      aRule("UniqueCombination", { columns: ["code", "buyer_id"], where: "id = 9", duplicatesAmong: "Rows" }),
    );
    expect(ruleResults.map(({ actualValue }) => actualValue)).toEqual([
      "2 duplicated values in 4 rows",
      "1 duplicated value in 2 rows",
      "1 duplicated combination in 2 rows",
      "no duplicates",
    ]);
    expect(ruleResults[1]?.expectedValue).toMatch(/, duplicates among these rows only$/);
  },
);

test.each(kinds)("on %s, some rows may fail: then it passes and still shows them", async (kind) => {
  const evaluation = await evaluated(
    kind,
    aRule("Range", { ...positive, ...paid, maxFailingRows: 2 }),
    aRule("Range", { ...positive, ...paid, maxFailingRows: 1 }),
    // 2 of 6 is 33.33… %.
    aRule("Range", { ...positive, ...paid, maxFailingPercent: 33.34 }),
    aRule("Range", { ...positive, ...paid, maxFailingPercent: 33.33 }),
    // 4 of all 10 rows.
    aRule("Referential", { ...references, maxFailingPercent: 30 }),
    aRule("Referential", { ...references, maxFailingPercent: 29.9 }),
    aRule("Pattern", { column: "code", pattern: "^A[0-9]$", maxFailingPercent: 20 }),
    // 3 values in 6 rows.
    aRule("Uniqueness", { column: "code", maxFailingRows: 6 }),
    aRule("Uniqueness", { column: "code", maxFailingRows: 5 }),
    aRule("Uniqueness", { column: "code", maxFailingPercent: 60 }),
    aRule("AllowedValues", { column: "status", values: ["paid"], maxFailingRows: 4 }),
    aRule("RowCondition", { condition: "amount > 0", whenUnknown: "Fail", ...paid, maxFailingPercent: 50 }),
  );
  expect(evaluation.ruleResults.map(({ passed, score, failing }) => [passed, score, failing])).toEqual([
    [true, 100, 2],
    [false, 66.67, 2],
    [true, 100, 2],
    [false, 66.67, 2],
    [true, 100, 3],
    [false, 0, 3],
    [true, 100, 2],
    [true, 100, 3],
    [false, 0, 3],
    [true, 100, 3],
    [true, 100, 1],
    [true, 100, 3],
  ]);
  const [range, , , , referential] = evaluation.ruleResults;
  expect(range).toMatchObject({
    actualValue: "2 of 6 rows out of range",
    expectedValue: "at least 0, where status = 'paid' -- not drafts, up to 2 rows may fail",
  });
  expect(referential?.expectedValue).toBe("every value in buyers.id, up to 30% of the rows may fail");
  await collectDueSamples();
  const ids = async (ruleId = 0) => {
    const { columns, rows } = await getSamples(ctx, { id: evaluation.id, ruleId });
    const place = columns.findIndex(({ name }) => name === "id");
    return rows.map((row) => Number(row[place])).toSorted((a, b) => a - b);
  };
  expect(await ids(range?.ruleId)).toEqual([3, 8]);
  expect(await ids(referential?.ruleId)).toEqual([3, 5, 6]);
});

test.each(kinds)("on %s, what writes or does not compile could not run", async (kind) => {
  for (const where of ["1 = 1); delete from sales; select (1 = 1", "no_such_column > 1", "id >"]) {
    const { ruleResults } = await evaluated(
      kind,
      aRule("Volume", { minRows: 0, where }),
      aRule("Uniqueness", { column: "id", where }),
    );
    expect(ruleResults, where).toMatchObject([{ couldRun: false }, { couldRun: false }]);
  }
  const changing = kind === "PostgreSql" ? "set_config('a.b', 'c', false) = 'c'" : "get_lock('a', 0) = 1";
  const { ruleResults } = await evaluated(kind, aRule("Range", { ...positive, where: changing }));
  expect(ruleResults).toMatchObject([{ couldRun: false }]);
});

test("rules about the same rows share a scan, others don't", () => {
  const target = { schemaName: "shop", tableName: "sales" };
  const scanOf = (configuration: Record<string, unknown>) =>
    compileRule({ type: "Range", configuration: { ...positive, ...configuration } }, target, postgresql)
      .sharesScan;
  expect(scanOf({ where: "a > 1" })).toBe(scanOf({ where: "a > 1", maxFailingRows: 3 }));
  expect(new Set([scanOf({}), scanOf({ where: "a > 1" }), scanOf({ where: "a > 2" })]).size).toBe(3);
});

test("what does not go together is refused, and so is what a type does not take", () => {
  const problems = (type: RuleInput["type"], configuration: Record<string, unknown>) =>
    createContractInput
      .safeParse(input(1, [aRule(type, configuration)]))
      .error?.issues.map(({ path, message }) => `${path.slice(2).join(".")} ${message}`);
  const range = (options: object) => problems("Range", { ...positive, ...options });
  expect(range({ where: "a > 1", lastHours: 24, timeColumn: "at", maxFailingPercent: 0.5 })).toBeUndefined();
  expect(range({ where: " \n" })).toEqual(["configuration.where is required"]);
  expect(range({ lastHours: 24 })).toEqual(["configuration.timeColumn is required with lastHours"]);
  expect(range({ timeColumn: "at" })).toEqual(["configuration.lastHours is required with timeColumn"]);
  expect(range({ maxFailingRows: 1, maxFailingPercent: 1 })).toEqual([
    "configuration.maxFailingPercent must be empty if maxFailingRows is set",
  ]);
  for (const wrong of [
    { maxFailingRows: 0 },
    { maxFailingPercent: 100 },
    { lastHours: 1.5, timeColumn: "at" },
  ])
    expect(range(wrong), JSON.stringify(wrong)).toHaveLength(1);
  expect(range({ duplicatesAmong: "Rows" })).toEqual([
    "configuration.duplicatesAmong is not a known property",
  ]);
  expect(problems("Uniqueness", { column: "a", duplicatesAmong: "Rows" })).toEqual([
    "configuration.duplicatesAmong needs a condition or a time that says which rows",
  ]);
  const unknown = ["configuration.maxFailingRows is not a known property"];
  expect(problems("Volume", { minRows: 1, maxFailingRows: 1 })).toEqual(unknown);
  expect(problems("NullRate", { column: "a", maxNullPercent: 1, maxFailingRows: 1 })).toEqual(unknown);
  expect(problems("CustomSql", { sql: "select 1", where: "a > 1" })).toEqual([
    "configuration.where is not a known property",
  ]);
});

/** SQL Server is not available in every run, so its text is compared. */
test("on SQL Server it is written in T-SQL", () => {
  const target = { schemaName: "dbo", tableName: "sales" };
  const options = { where: "status = 'paid'", lastHours: 24, timeColumn: "at", maxFailingPercent: 1 };
  const rules = [
    { type: "Range", configuration: { ...positive, ...options } },
    { type: "Uniqueness", configuration: { column: "code", ...options } },
  ] as const;
  const texts = rules.map((rule) => {
    const { statement } = compileRule(rule, target, sqlserver);
    const sample = compileSample(rule, target, sqlserver, { maxRows: 20 });
    for (const each of [statement, sample]) {
      expect(() => requireReadOnly(each?.sql ?? "")).not.toThrow();
      expect(each?.ownSql).toBe(false);
    }
    return statement.sql.replace(/\s+/g, " ");
  });
  const rows = "checked.[at] >= dateadd(minute, -1440, sysutcdatetime()) and ( status = 'paid' )";
  expect(texts[0]).toContain(
    ` from (select checked.* from [dbo].[sales] as checked where ${rows}) as checked`,
  );
  expect(texts[1]).toContain(
    `having count_big(*) > 1 and count_big(case when ${rows} then 1 end) > 0) as duplicated ) as counted`,
  );
});
