import { sql as query } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { db, sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { dryRunContractInput, dryRunRuleInput } from "../dry-run-schema.ts";
import { limits } from "../limits.ts";
import { dryRunContract, dryRunRule } from "./dry-run.ts";
import { evaluateContract } from "./evaluate.ts";

let ctx: SignedIn;
let dataSourceId: number;
const usual = { ...limits };

beforeAll(async () => {
  ctx = await asEditor();
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(`
    create table people (email text, age int, id int primary key);
    insert into people values ('ada@example.com', 36, 1), ('grace', 200, 2), ('edsger@example.com', null, 3)`);
  await refreshSchema(await asAdmin(), dataSourceId);
});

afterEach(() => {
  Object.assign(limits, usual);
});

afterAll(closeSources);

const tryRule = (rule: ReturnType<typeof aRule>, more: Record<string, unknown> = {}, by = ctx) =>
  dryRunRule(by, dryRunRuleInput.parse({ dataSourceId, tableName: "people", rule, ...more }));
const tryContract = (rules: ReturnType<typeof aRule>[], more: Record<string, unknown> = {}, by = ctx) =>
  dryRunContract(by, dryRunContractInput.parse({ dataSourceId, tableName: "people", rules, ...more }));

/** Counts everything that an evaluation stores. */
async function left() {
  const [counts] = await db.execute(query`
    select (select count(*) from contracts) as contracts, (select count(*) from rules) as rules,
      (select count(*) from evaluations) as evaluations, (select count(*) from rule_results) as results,
      (select count(*) from rule_scores) as scores, (select count(*) from rule_samples) as samples,
      (select count(*) from sample_requests) as requests, (select count(*) from table_scores) as tables,
      (select count(*) from notifications) as notifications`);
  return counts;
}

test("one rule is judged as in an evaluation, with failing rows, and nothing is stored", async () => {
  const before = await left();
  const rule = aRule("Range", { column: "age", min: "0", max: "150" }, { severity: "High", weight: 2 });
  expect(await tryRule(rule)).toEqual({
    key: null,
    ruleName: "Range",
    ruleType: "Range",
    severity: "High",
    weight: 2,
    couldRun: true,
    groups: null,
    // A trial looks at the data as they are.
    knownFailures: [],
    // The rule does not learn what is usual.
    course: null,
    passed: false,
    // (1 − 1/3) × 100
    score: 66.67,
    expectedValue: "0 to 150",
    actualValue: "1 of 3 rows out of range",
    message: null,
    failing: 1,
    executionTimeMs: expect.any(Number),
    samples: {
      columns: [
        { name: "id", type: "integer" },
        { name: "age", type: "integer" },
        { name: "email", type: "text" },
      ],
      rows: [[2, 200, "•••••"]],
      maskedColumns: ["email"],
      byValue: { column: "age", values: [{ value: 200, rows: 1 }], isMasked: false, hasMore: false },
      totalFailing: 1,
    },
  });
  expect(await tryRule(rule, { samples: "Full" })).toMatchObject({ samples: { rows: [[2, 200, "grace"]] } });
  expect(await tryRule(rule, { samples: "Off" })).toMatchObject({ passed: false, samples: null });
  expect(await tryRule(aRule("Volume", { minRows: 3 }))).toMatchObject({
    passed: true,
    score: 100,
    samples: null,
  });
  expect(await left()).toEqual(before);
});

test("a disabled rule is tried anyway", async () => {
  expect(await tryRule(aRule("Volume", { maxRows: 2 }, { enabled: false }))).toMatchObject({ passed: false });
});

test("a draft scores what the same contract scores once it is saved", async () => {
  const rules = [
    aRule("Uniqueness", { column: "id" }, { severity: "Critical" }),
    aRule("NullRate", { column: "age", maxNullPercent: 10 }, { severity: "High" }),
    aRule("Pattern", { column: "email", pattern: "@" }, { weight: 0.5 }),
    aRule("Volume", { minRows: 100 }, { enabled: false }),
  ];
  const before = await left();
  const draft = await tryContract(rules);
  expect(await left()).toEqual(before);
  // (100×4 + (100 − (33.33… − 10))×3 + 0×1) / (4 + 3 + 1) = 630 / 8
  expect(draft).toMatchObject({ overallScore: 78.75, passedCount: 1, failedCount: 2 });
  expect(draft.ruleResults.map(({ samples }) => samples?.rows)).toEqual([
    undefined,
    [[3, null, "••••••@•••••••.•••"]],
    [[2, "•••••", 200]],
  ]);
  const evaluation = await evaluateContract(
    ctx,
    (await aContract({ dataSourceId, tableName: "people", rules }, ctx)).id,
  );
  expect(evaluation).toMatchObject({ overallScore: 78.75, passedCount: 1, failedCount: 2 });
});

test("an invalid rule is reported in its result", async () => {
  expect(await tryRule(aRule("NullRate", { column: "gone", maxNullPercent: 0 }))).toMatchObject({
    passed: false,
    score: 0,
    message: 'Execution failed: column "gone" does not exist',
    samples: null,
  });
  expect(await tryRule(aRule("Range", { column: "age", min: "1" }), { tableName: "gone" })).toMatchObject({
    message: 'Execution failed: relation "public.gone" does not exist',
  });
  for (const sqlText of ["drop table people", "select 1 as passed; delete from people", "select * from"])
    expect(await tryRule(aRule("CustomSql", { sql: sqlText })), sqlText).toMatchObject({
      passed: false,
      score: 0,
      message: expect.stringMatching(/^Execution failed: /),
    });
  expect(await sql`select count(*)::int as n from people`).toMatchObject([{ n: 3 }]);
});

test("a rule has the same time limit as in an evaluation", async () => {
  limits.ruleTimeoutMs = 300;
  const sleeps = aRule("CustomSql", { sql: "select 1 as passed from pg_sleep(30)" });
  expect(await tryRule(sleeps)).toMatchObject({
    message: expect.stringMatching(/^Execution failed: The statement took longer than 0\.3 s/),
  });
});

test("an impossible request is an error, not a result", async () => {
  const rule = aRule("Volume", { minRows: 0 });
  const unreachable = await aDataSource({ connection: { port: 1 } });
  for (const attempt of [
    () => tryRule(rule, { dataSourceId: unreachable.id }),
    () => tryContract([rule], { dataSourceId: unreachable.id }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: "source_unreachable" });
  await expect(tryRule(aRule("Volume", { minRows: 0, schema: "other" }))).rejects.toMatchObject({
    code: "invalid",
    more: { errors: [{ path: "rule.configuration.schema" }] },
  });
  const stranger = await asAdmin({ projectIds: [] });
  await expect(tryRule(rule, {}, stranger)).rejects.toMatchObject({ code: "not_found" });
  await expect(tryContract([rule], {}, stranger)).rejects.toMatchObject({ code: "not_found" });
  const api = await aDataSource({ kind: "RestApi" });
  await sql`update data_sources set connection = '{"baseUrl": "http://api.example", "headers": {}}' where id = ${api.id}`;
  await expect(tryRule(rule, { dataSourceId: api.id })).rejects.toMatchObject({
    code: "rejected",
    detail: "Data contract's data source must be a database type",
  });
});

test("a draft is validated as strictly as a contract", () => {
  const parse = (more: Record<string, unknown>) =>
    dryRunRuleInput.safeParse({
      dataSourceId: 1,
      tableName: "people",
      rule: aRule("Volume", { minRows: 1 }),
      ...more,
    });
  expect(parse({}).success).toBe(true);
  for (const [more, path] of [
    [{ rule: aRule("Volume", {}) }, "rule.configuration.minRows"],
    [{ rule: aRule("Range", { column: "a", min: "1 OR 1=1" }) }, "rule.configuration.min"],
    [{ rule: { ...aRule("Volume", { minRows: 1 }), weight: 0.09 } }, "rule.weight"],
    [{ rule: aRule("Volume", { minRows: 1, table: "others" }) }, "rule.configuration.table"],
    [{ samples: "All" }, "samples"],
    [{ tableName: "" }, "tableName"],
  ] as const)
    expect(parse(more).error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  expect(parse({ name: "x" }).success).toBe(false);
});
