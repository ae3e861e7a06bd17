import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { sqlserver } from "../../data-sources/dialects/sqlserver.ts";
import { requireReadOnly } from "../../data-sources/engines/sqlserver/gate.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
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

/** Conditions that people write, on a real PostgreSQL and a real MySQL. */

let ctx: SignedIn;
const sources = { PostgreSql: 0, MySql: 0 };
const kinds = ["PostgreSql", "MySql"] as const;

beforeAll(async () => {
  ctx = await asAdmin();
  sources.PostgreSql = (await aDataSource()).id;
  sources.MySql = (await aDataSource({ kind: "MySql", connection: mysqlConnection })).id;
  for (const run of [(text: string) => sql.unsafe(text), (text: string) => mysql.query(text)]) {
    await run("create table payments (id int primary key, ordered_at date not null, paid_at date)");
    // Eight payments: five in order, one the day before, and two not paid yet.
    await run(`insert into payments values
      (1, '2026-01-01', '2026-01-01'), (2, '2026-01-01', '2026-01-02'), (3, '2026-01-01', '2026-01-09'),
      (4, '2026-02-01', '2026-02-01'), (5, '2026-02-01', '2026-03-01'), (6, '2026-01-05', '2026-01-04'),
      (7, '2026-02-02', null), (8, '2026-02-03', null)`);
  }
});
afterAll(closeSources);

type Written = { condition: string; whenUnknown?: "Pass" | "Fail" };
const input = (dataSourceId: number, configuration: Written) => ({
  ...{ name: "Payments", dataSourceId, tableName: "payments", cronExpression: "0 6 * * *" },
  samples: "Full" as const,
  rules: [aRule("RowCondition", configuration)],
});

async function evaluated(kind: (typeof kinds)[number], configuration: Written) {
  const contract = await aContract(input(sources[kind], configuration), ctx);
  const evaluation = await evaluateContract(ctx, contract.id);
  const [result] = evaluation.ruleResults;
  return { evaluation, result };
}

async function failingIds({ evaluation, result }: Awaited<ReturnType<typeof evaluated>>) {
  await collectDueSamples();
  const { rows, totalFailing } = await getSamples(ctx, { id: evaluation.id, ruleId: result?.ruleId ?? 0 });
  return { ids: rows.map(([id]) => Number(id)).toSorted((a, b) => a - b), totalFailing };
}

test.each(kinds)("on %s, the rows against it fail, and those where it is unknown pass", async (kind) => {
  const done = await evaluated(kind, { condition: "paid_at\n  >= ordered_at -- the same day is fine" });
  expect(done.result).toMatchObject({
    ...{ ruleType: "RowCondition", passed: false, couldRun: true, message: null },
    // 1 of 8: 87.5.
    ...{ score: 87.5, actualValue: "1 of 8 rows fail" },
    expectedValue: "paid_at >= ordered_at -- the same day is fine",
  });
  expect(await failingIds(done)).toEqual({ ids: [6], totalFailing: 1 });
});

test.each(kinds)("on %s, rows where it is unknown fail if its author says so", async (kind) => {
  const done = await evaluated(kind, { condition: "paid_at >= ordered_at", whenUnknown: "Fail" });
  // 3 of 8: 62.5.
  expect(done.result).toMatchObject({ passed: false, score: 62.5, actualValue: "3 of 8 rows fail" });
  expect(await failingIds(done)).toEqual({ ids: [6, 7, 8], totalFailing: 3 });
});

test.each(kinds)("on %s, it passes where it holds, and may look at other tables", async (kind) => {
  const condition = "id > 0 and exists (select 1 from payments other where other.id = checked.id)";
  expect((await evaluated(kind, { condition })).result).toMatchObject({
    ...{ passed: true, score: 100, actualValue: "true for every row" },
  });
});

test.each(kinds)(
  "on %s, what writes, ends the statement, or does not compile could not run",
  async (kind) => {
    const written = [
      "1 = 1); delete from payments; select (1 = 1",
      "id in (delete from payments returning id)",
      "no_such_column > 1",
      "id >",
    ];
    for (const condition of written) {
      const { result } = await evaluated(kind, { condition });
      expect(result, condition).toMatchObject({ passed: false, couldRun: false, score: 0 });
    }
    const changing = kind === "PostgreSql" ? "set_config('a.b', 'c', false) = 'c'" : "get_lock('a', 0) = 1";
    expect((await evaluated(kind, { condition: changing })).result).toMatchObject({ couldRun: false });
    const count = kind === "PostgreSql" ? await sql`select count(*)::int as n from payments` : null;
    if (count) expect(count[0]?.n).toBe(8);
  },
);

test("it has a condition", () => {
  const problems = (configuration: object) =>
    createContractInput
      .safeParse(input(1, configuration as Written))
      .error?.issues.map(({ path, message }) => `${path.slice(2).join(".")} ${message}`);
  expect(problems({ condition: "a > 1" })).toBeUndefined();
  expect(problems({ condition: " \n" })).toEqual(["configuration.condition is required"]);
  expect(problems({})).toEqual(["configuration.condition is required"]);
  expect(problems({ condition: "a", whenUnknown: "Maybe" })).toHaveLength(1);
  expect(problems({ condition: "x".repeat(4001) })).toHaveLength(1);
});

/** SQL Server is not available in every run, so its text is compared. */
test("on SQL Server it is written in T-SQL", () => {
  const target = { schemaName: "dbo", tableName: "payments" };
  const rule = { type: "RowCondition", configuration: { condition: "a > b", whenUnknown: "Fail" } } as const;
  const { statement } = compileRule(rule, target, sqlserver);
  const sample = compileSample(rule, target, sqlserver, { maxRows: 20 });
  for (const each of [statement, sample]) {
    expect(() => requireReadOnly(each?.sql ?? "")).not.toThrow();
    expect(each?.ownSql).toBe(false);
  }
  expect(sample?.sql.replace(/\s+/g, " ")).toBe(
    "select top (20) checked.* from [dbo].[payments] as checked where case when ( a > b ) then 1 else 0 end = 0",
  );
});
