import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { dryRunRuleInput } from "../dry-run-schema.ts";
import { evaluations, ruleScores } from "../evaluations/tables.ts";
import { type ContractInput, createContractInput } from "../schema.ts";
import { backtestRule } from "./backtest-rule.ts";
import { getContract, updateContract } from "./contracts.ts";
import { dryRunRule } from "./dry-run.ts";
import { evaluateContract } from "./evaluate.ts";
import { markKnownFailure } from "./known-failures.ts";
import { getSeries } from "./series.ts";

/** Rules that learn what is usual from what they measured before. */

let ctx: SignedIn;
let dataSourceId: number;
const day = 86_400_000;

beforeAll(async () => {
  ctx = await asAdmin();
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe("create table visits (id int, seen_at timestamptz default now())");
});
beforeEach(async () => {
  await sql.unsafe("truncate visits");
});
afterAll(closeSources);

const rowsAre = (count: number) =>
  sql.unsafe(`insert into visits select n from generate_series(1, ${count}) as n`);
const usual = (direction = "Both", more: object = {}) =>
  aRule("Volume", { usual: direction, ...more }, { name: "Rows" });
const contractOf = (rule: ContractInput["rules"][number], more: Partial<ContractInput> = {}) =>
  aContract({ dataSourceId, tableName: "visits", rules: [rule], ...more }, ctx);
type Contract = Awaited<ReturnType<typeof contractOf>>;

/** Daily measurements that end yesterday, oldest first, as if they had been evaluated. */
async function measuredBefore(contract: Contract, values: readonly number[]) {
  const [rule] = contract.rules;
  if (!rule) throw new Error("A contract has a rule");
  for (const [place, measured] of values.entries()) {
    const evaluatedAt = new Date(Date.now() - (values.length - place) * day);
    const [evaluation] = await db
      .insert(evaluations)
      .values({
        ...{ contractId: contract.id, trigger: "Scheduled", status: "Completed", version: 1 },
        ...{ leaseToken: randomUUID(), leaseUntil: evaluatedAt },
        ...{ dataSourceId, schemaName: "public", tableName: "visits", rulesTotal: 1 },
        ...{ evaluatedAt, startedAt: evaluatedAt, overallScore: 100, passedCount: 1, failedCount: 0 },
      })
      .returning({ id: evaluations.id });
    await db.insert(ruleScores).values({
      ...{ evaluationId: evaluation?.id ?? 0, key: rule.key, contractId: contract.id, evaluatedAt },
      ...{ position: 0, name: "Rows", type: rule.type, passed: true, score: 100, measured },
    });
  }
}
const evaluated = async ({ id }: { id: number }) => (await evaluateContract(ctx, id)).ruleResults[0];

/** About 1,000 a day, up and down by a tenth. */
const steady = (count: number) => Array.from({ length: count }, (_, place) => 950 + ((place * 37) % 100));

test("a number far from the usual fails, one within passes, and the range is said", async () => {
  const contract = await contractOf(usual());
  await measuredBefore(contract, steady(40));
  await rowsAre(990);
  const fine = await evaluated(contract);
  expect(fine).toMatchObject({ passed: true, score: 100, actualValue: "990 rows" });
  const [, low = "", high = ""] = /^usually ([\d,]+) to ([\d,]+) rows/.exec(fine?.expectedValue ?? "") ?? [];
  const bounds = [low, high].map((text) => Number(text.replace(",", "")));
  expect(bounds[0]).toBeGreaterThan(500);
  expect(bounds[0]).toBeLessThan(950);
  expect(bounds[1]).toBeGreaterThan(1050);
  expect(bounds[1]).toBeLessThan(1600);
  await sql.unsafe("delete from visits where id > 300");
  expect(await evaluated(contract)).toMatchObject({
    ...{ passed: false, score: 0, actualValue: "300 rows", message: "Below what is usual" },
  });
  await rowsAre(4000);
  expect(await evaluated(contract)).toMatchObject({ passed: false, message: "Above what is usual" });
});

test("only one side may matter", async () => {
  const [above, below] = [await contractOf(usual("Above")), await contractOf(usual("Below"))];
  for (const contract of [above, below]) await measuredBefore(contract, steady(40));
  await rowsAre(100);
  expect(await evaluated(above)).toMatchObject({ passed: true });
  expect(await evaluated(below)).toMatchObject({ passed: false });
  expect((await evaluated(above))?.expectedValue).toMatch(/^usually at most [\d,]+ rows/);
});

test("with too little history it passes, and says from when on it is judged", async () => {
  const contract = await contractOf(usual());
  await measuredBefore(contract, steady(13));
  expect(await evaluated(contract)).toMatchObject({
    ...{ passed: true, score: 100 },
    expectedValue: "as usual (judged from measurement 15 on, so far there are 13)",
  });
  // The evaluation above is the fourteenth.
  expect((await evaluated(contract))?.expectedValue).toMatch(/^usually/);
});

test("a fixed bound beside it holds as well", async () => {
  const contract = await contractOf(usual("Both", { minRows: 5000 }));
  await measuredBefore(contract, steady(40));
  await rowsAre(1000);
  const result = await evaluated(contract);
  expect(result).toMatchObject({ passed: false, score: 0 });
  expect(result?.expectedValue).toMatch(/^at least 5,000 rows, usually [\d,]+ to [\d,]+ rows/);
});

test("the share of NULL scores as with a fixed limit, by how far it is above what is usual", async () => {
  const contract = await contractOf(
    aRule("NullRate", { column: "seen_at", usual: "Above", usualWidth: 2 }, { name: "Rows" }),
  );
  await measuredBefore(contract, Array(30).fill(0));
  await sql.unsafe(
    "insert into visits select n, case when n > 30 then now() end from generate_series(1, 100) as n",
  );
  const result = await evaluated(contract);
  const [, high = ""] = /^usually at most ([\d.]+)%/.exec(result?.expectedValue ?? "") ?? [];
  expect(Number(high)).toBeLessThan(1);
  // 30 % are NULL: one point for each percentage point above.
  expect(result?.score).toBeCloseTo(100 - (30 - Number(high)), 1);
});

test("what was marked as known teaches nothing, nor does what measured something else", async () => {
  const contract = await contractOf(usual());
  const [rule] = contract.rules;
  await measuredBefore(contract, [...steady(20), ...Array(10).fill(20)]);
  // Ten in a row are a new level.
  await rowsAre(20);
  expect(await evaluated(contract)).toMatchObject({ passed: true });
  await markKnownFailure(ctx, {
    ...{ id: contract.id, ruleKey: rule?.key ?? "", reason: "Migration", until: new Date(Date.now() + day) },
  });
  await sql`update known_failures set created_at = now() - interval '10 days 1 hour', until = now() - interval '1 second'`;
  expect(await evaluated(contract)).toMatchObject({ passed: false });
  const before = await getContract(ctx, contract.id);
  const input = createContractInput.parse({
    ...{ name: "Visits", dataSourceId, tableName: "visits", cronExpression: "0 6 * * *" },
    rules: [{ ...usual("Both", { where: "id > 0" }), key: rule?.key }],
  });
  await updateContract(ctx, { id: before.id, ...input });
  expect((await evaluated(contract))?.expectedValue).toContain("so far there are 0");
});

test("a backtest over weeks with a season names exactly the two incidents in it", async () => {
  const contract = await contractOf(usual());
  const key = contract.rules[0]?.key;
  // Weekends have a fifth of the rows. Two loads are cut short, on a weekday each, in the tenth and twelfth week.
  const last = new Date(Date.now() - day);
  const values = Array.from({ length: 98 }, (_, place) => {
    const weekday = new Date(last.getTime() - (97 - place) * day).getUTCDay();
    return (weekday === 0 || weekday === 6 ? 200 : 1000) + ((place * 13) % 40);
  });
  const incidents = [66, 80].map((place) => {
    const isWeekend = (values[place] ?? 0) < 500;
    return isWeekend ? place + 2 : place;
  });
  for (const place of incidents) values[place] = 420;
  await measuredBefore(contract, values);
  const backtest = await backtestRule(
    ctx,
    dryRunRuleInput.parse({ dataSourceId, tableName: "visits", rule: { ...usual(), key } }),
  );
  expect(backtest).toMatchObject({ evaluations: 98, judged: 84, wouldHaveFailed: 2, didFail: 0 });
  expect(backtest.failures.map(({ measured }) => measured)).toEqual([420, 420]);
  expect(backtest.failures[0]?.expected).toMatch(/^usually [\d,]+ to 1,\d{3} rows on \w+days$/);
  // The chart has the same bands.
  const { rules } = await getSeries(ctx, { id: contract.id, take: 100 });
  const points = rules[0]?.points ?? [];
  expect(points.filter(({ usual }) => usual === null)).toHaveLength(14);
  const outside = points.filter(
    ({ measured, usual }) => usual?.low != null && measured !== null && measured < usual.low,
  );
  expect(outside).toHaveLength(2);
});

test("the mean of a column is learned: a known history has its two incidents, and the next one fails", async () => {
  const contract = await contractOf(aRule("Mean", { column: "id", usual: "Both" }, { name: "Rows" }));
  // Between 19.6 and 20.4, slowly up and down. Prices in cents once, and none once.
  const values = Array.from({ length: 60 }, (_, place) => 20 + ((place * 7) % 9) / 10 - 0.4);
  values[40] = 2000;
  values[51] = 0;
  await measuredBefore(contract, values);
  const key = contract.rules[0]?.key;
  const draft = (direction: string) =>
    dryRunRuleInput.parse({
      ...{ dataSourceId, tableName: "visits" },
      rule: { ...aRule("Mean", { column: "id", usual: direction }), key },
    });
  const backtest = await backtestRule(ctx, draft("Both"));
  expect(backtest).toMatchObject({ evaluations: 60, judged: 46, wouldHaveFailed: 2 });
  expect(backtest.failures.map(({ measured }) => measured)).toEqual([0, 2000]);
  // Upwards only, the empty day is nothing.
  const above = await backtestRule(ctx, draft("Above"));
  expect(above.failures.map(({ measured }) => measured)).toEqual([2000]);

  // 1 to 39 have a mean of 20.
  await rowsAre(39);
  const fine = await evaluated(contract);
  expect(fine).toMatchObject({ passed: true, score: 100, actualValue: "20 (39 values)" });
  expect(fine?.expectedValue).toMatch(/^usually 1[89](\.\d+)? to 2[012](\.\d+)?/);
  await rowsAre(99);
  // Of 138 rows the mean is (39 × 20 + 99 × 50) / 138.
  expect(await evaluated(contract)).toMatchObject({ passed: false, message: "Above what is usual" });
});

test("a new rule has no history, and one that does not learn has no backtest", async () => {
  const draft = (rule: object) => dryRunRuleInput.parse({ dataSourceId, tableName: "visits", rule });
  expect(await backtestRule(ctx, draft(usual()))).toEqual({
    ...{ evaluations: 0, judged: 0, since: null, wouldHaveFailed: 0, didFail: 0, failures: [] },
  });
  await expect(backtestRule(ctx, draft(aRule("Volume", { minRows: 1 })))).rejects.toMatchObject({
    code: "rejected",
  });
  expect((await dryRunRule(ctx, draft(usual()))).expectedValue).toBe(
    "as usual (judged from measurement 15 on, so far there are 0)",
  );
});

test("bounds that nobody set are not stored, and what does not fit is refused with its path", async () => {
  const contract = await contractOf(usual("Below", { usualWidth: 6 }));
  expect(contract.rules[0]?.configuration).toEqual({ usual: "Below", usualWidth: 6 });
  const issues = (configuration: object, type: "Volume" | "Range" | "Mean" = "Volume") => {
    const read = createContractInput.safeParse({
      ...{ name: "V", dataSourceId, tableName: "visits", cronExpression: "0 6 * * *" },
      rules: [aRule(type, configuration as Record<string, unknown>)],
    });
    return read.error?.issues.map(({ path, message }) => `${path.slice(2).join(".")} ${message}`) ?? [];
  };
  expect(issues({ usual: "Sideways" })).toEqual([expect.stringContaining("configuration.usual")]);
  expect(issues({ minRows: 1, usualWidth: 4 })).toEqual(["configuration.usual is required with usualWidth"]);
  expect(issues({ usual: "Both", groupBy: ["id"] })).toEqual([
    "configuration.usual is learned of all rows: it must be empty if groupBy is set",
  ]);
  expect(issues({ column: "id", min: "1", usual: "Both" }, "Range")).toEqual([
    "configuration.usual is not a known property",
  ]);
  expect(issues({ column: "id" }, "Mean")).toEqual(["configuration.min min or max is required"]);
  expect(issues({ column: "id", min: "3", max: "2" }, "Mean")).toEqual([
    "configuration.min must not be above max",
  ]);
  expect(issues({})).toEqual(["configuration.minRows minRows or maxRows is required"]);
});

test("a dry run of a rule that learns shows what was usual at each of its measurements, and now", async () => {
  const contract = await contractOf(usual());
  const values = steady(80);
  await measuredBefore(contract, values);
  await rowsAre(300);
  const [stored] = contract.rules;
  const draft = (rule: object) => dryRunRuleInput.parse({ dataSourceId, tableName: "visits", rule });
  const result = await dryRunRule(ctx, draft({ ...usual(), key: stored?.key }));
  const course = result.course ?? [];
  // The latest 59 measurements, oldest first, and this one.
  expect(course.map(({ measured }) => measured)).toEqual([...values.slice(-59), 300]);
  expect(course.every(({ usual: range }) => range !== null)).toBe(true);
  expect(course.at(0)).toMatchObject({ passed: true });
  const now = course.at(-1);
  expect(now).toMatchObject({ passed: false, measured: 300 });
  expect(now?.usual?.low).toBeGreaterThan(500);
  // The same bounds as the verdict says.
  const [, low = "", high = ""] = /^usually ([\d,]+) to ([\d,]+) rows/.exec(result.expectedValue ?? "") ?? [];
  expect(now?.usual).toEqual({ low: Number(low.replace(",", "")), high: Number(high.replace(",", "")) });
});

test("a dry run shows no course of a rule that does not learn or could not run; of a new one, only itself", async () => {
  await rowsAre(10);
  const draft = (rule: object) => dryRunRuleInput.parse({ dataSourceId, tableName: "visits", rule });
  expect((await dryRunRule(ctx, draft(aRule("Volume", { minRows: 1 })))).course).toBeNull();
  expect((await dryRunRule(ctx, draft(usual("Both", { where: "no_such > 1" })))).course).toBeNull();
  expect((await dryRunRule(ctx, draft(usual()))).course).toMatchObject([
    { measured: 10, passed: true, usual: null },
  ]);
});
