import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { evaluations, ruleScores } from "../evaluations/tables.ts";
import { seriesInput } from "../history-schema.ts";
import { type ContractInput, createContractInput } from "../schema.ts";
import { getChanges } from "./changes.ts";
import { archiveContract, updateContract } from "./contracts.ts";
import { evaluateContract, startEvaluation } from "./evaluate.ts";
import { getEvaluation } from "./history.ts";
import { listRuleStates } from "./rule-states.ts";
import { getSeries } from "./series.ts";

/** The history of rules, whatever happens to their contract. */

let ctx: SignedIn;
let dataSourceId: number;

beforeAll(async () => {
  ctx = await asAdmin();
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(`
    create table orders (id int, customer int, price numeric, code text, seen_at timestamptz);
    create table customers (id int)`);
});

beforeEach(async () => {
  await sql.unsafe(`
    truncate orders, customers;
    insert into customers values (1);
    insert into orders values (1, 1, 10, 'A', now() - interval '90 minutes'), (2, 7, 20, 'b', null),
      (2, 8, 30, null, null), (4, 1, 40, 'C', null)`);
});

afterAll(closeSources);

const input = (contract: Partial<ContractInput>): ContractInput => ({
  name: "Orders",
  dataSourceId,
  tableName: "orders",
  cronExpression: "0 6 * * *",
  rules: [aRule("Volume", { maxRows: 4 })],
  ...contract,
});
const contractOf = (...rules: ContractInput["rules"]) => aContract(input({ rules }), ctx);
const edit = (contract: { id: number }, change: Partial<ContractInput>) =>
  updateContract(ctx, { id: contract.id, ...createContractInput.parse(input(change)) });
const evaluate = (contract: { id: number }) => evaluateContract(ctx, contract.id);
const seriesOf = (contract: { id: number }, more: Record<string, unknown> = {}) =>
  getSeries(ctx, seriesInput.parse({ id: contract.id, ...more }));

/** Evaluations one minute apart, with the rule's results. */
async function past(contractId: number, key: string, passes: boolean[], begin = "2026-01-01T00:00:00Z") {
  const made: { id: number; evaluatedAt: Date }[] = [];
  for (const [minute, passed] of passes.entries()) {
    const evaluatedAt = new Date(Date.parse(begin) + minute * 60_000);
    const [row] = await db
      .insert(evaluations)
      .values({
        ...{ contractId, dataSourceId, schemaName: "public", tableName: "orders", trigger: "Scheduled" },
        ...{ status: "Completed", evaluatedAt, overallScore: passed ? 100 : 0, executionTimeMs: 1 },
        ...{ passedCount: passed ? 1 : 0, failedCount: passed ? 0 : 1 },
        leaseToken: crypto.randomUUID(),
        leaseUntil: evaluatedAt,
      })
      .returning({ id: evaluations.id });
    const evaluationId = row?.id ?? 0;
    await db.insert(ruleScores).values({
      ...{ evaluationId, key, contractId, evaluatedAt, position: 0, name: "Volume", type: "Volume" },
      ...{ passed, score: passed ? 100 : 0, measured: minute },
    });
    made.push({ id: evaluationId, evaluatedAt });
  }
  return made;
}

test("a measurement is a number in the type's unit", async () => {
  const contract = await contractOf(
    aRule("Freshness", { column: "seen_at", maxAgeMinutes: 5 }),
    aRule("Volume", { maxRows: 3 }),
    aRule("NullRate", { column: "code", maxNullPercent: 10 }),
    aRule("Uniqueness", { column: "id" }),
    aRule("Referential", { column: "customer", referenceTable: "customers", referenceColumn: "id" }),
    aRule("Range", { column: "price", max: "15" }),
    aRule("Pattern", { column: "code", pattern: "^[A-Z]$" }),
    aRule("CustomSql", { sql: "select 1 as passed, 42.5 as actual_value" }),
    aRule("CustomSql", { sql: "select 1 as passed, 'many' as actual_value" }),
    aRule("NullRate", { column: "gone", maxNullPercent: 10 }),
  );
  const evaluation = await evaluate(contract);
  const { rules, points } = await seriesOf(contract);
  expect(points).toEqual([
    {
      evaluationId: evaluation.id,
      evaluatedAt: evaluation.evaluatedAt,
      overallScore: evaluation.overallScore,
      couldNotEvaluate: false,
    },
  ]);
  expect(rules.map(({ type, unit, points: [point] }) => [type, unit, point?.measured])).toEqual([
    ["Freshness", "Minutes", expect.closeTo(90, 0)],
    ["Volume", "Rows", 4],
    ["NullRate", "Percent", 25],
    ["Uniqueness", "Values", 1],
    ["Referential", "Rows", 2],
    ["Range", "Rows", 3],
    ["Pattern", "Rows", 1],
    ["CustomSql", null, 42.5],
    ["CustomSql", null, null],
    // A rule that could not run has measured nothing.
    ["NullRate", "Percent", null],
  ]);
  expect(rules.map(({ key }) => key)).toEqual(contract.rules.map(({ key }) => key));
});

test("a passing rule has its number, too", async () => {
  const contract = await contractOf(
    aRule("Uniqueness", { column: "price" }),
    aRule("Range", { column: "price", max: "100" }),
    aRule("Pattern", { column: "code", pattern: "." }),
    aRule("NullRate", { column: "id", maxNullPercent: 0 }),
  );
  await evaluate(contract);
  const { rules } = await seriesOf(contract);
  expect(rules.map(({ points }) => points[0]?.measured)).toEqual([0, 0, 0, 0]);
});

test("a series continues across edits by the rule's key, and that of a removed rule stays", async () => {
  const contract = await contractOf(aRule("Volume", { maxRows: 4 }), aRule("Uniqueness", { column: "id" }));
  const [kept, dropped] = contract.rules.map(({ key }) => key);
  const first = await evaluate(contract);
  await edit(contract, {
    rules: [
      aRule("NullRate", { column: "code", maxNullPercent: 0 }, { name: "New" }),
      aRule("Volume", { maxRows: 3 }, { key: kept, name: "Stricter" }),
    ],
  });
  const second = await evaluate(contract);
  expect((await getEvaluation(ctx, first.id)).ruleResults).toEqual([]);
  const { rules, points, evaluations: total } = await seriesOf(contract);
  expect(total).toBe(2);
  expect(points.map(({ evaluationId }) => evaluationId)).toEqual([first.id, second.id]);
  expect(rules).toMatchObject([
    { name: "New", isCurrent: true, points: [{ evaluationId: second.id }] },
    {
      key: kept,
      name: "Stricter",
      isCurrent: true,
      points: [
        { evaluationId: first.id, passed: true, score: 100, measured: 4 },
        { evaluationId: second.id, passed: false, score: 0, measured: 4 },
      ],
    },
    { key: dropped, isCurrent: false, points: [{ evaluationId: first.id, measured: 1 }] },
  ]);
});

test("a key that moves to another type keeps its scores, but not measurements in another unit", async () => {
  const contract = await contractOf(aRule("Volume", { maxRows: 4 }));
  const [key] = contract.rules.map((rule) => rule.key);
  await evaluate(contract);
  await edit(contract, { rules: [aRule("NullRate", { column: "code", maxNullPercent: 50 }, { key })] });
  await evaluate(contract);
  expect((await seriesOf(contract)).rules).toMatchObject([
    { type: "NullRate", unit: "Percent", points: [{ score: 100, measured: null }, { measured: 25 }] },
  ]);
});

test("an evaluation during which the contract was edited or archived leaves no orphans", async () => {
  const sleeps = aRule("CustomSql", { sql: "select 1 as passed from pg_sleep(0.4)" });
  const edited = await contractOf(aRule("Volume", { maxRows: 3 }), sleeps);
  const archived = await contractOf(aRule("Volume", { maxRows: 3 }), sleeps);
  const started = await Promise.all([startEvaluation(ctx, edited.id), startEvaluation(ctx, archived.id)]);
  const patience = { timeout: 15_000, interval: 20 };
  for (const { id } of started)
    await vi.waitUntil(async () => (await getEvaluation(ctx, id)).progress.done >= 1, patience);
  await edit(edited, {});
  await archiveContract(ctx, archived.id);
  const isCompleted = async ({ id }: { id: number }) =>
    (await db.select().from(evaluations).where(eq(evaluations.id, id)))[0]?.status === "Completed";
  for (const each of started) await vi.waitUntil(() => isCompleted(each), patience);

  // The scores of the rules that ran are part of the contract's history; its new rule has none.
  const { rules } = await seriesOf(edited);
  expect(rules.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
  expect(rules[0]?.points).toEqual([]);
  expect((await listRuleStates(ctx, edited.id)).items).toEqual([]);
  const orphans = await sql`
    select r.evaluation_id from rule_results r left join rules u on u.id = r.rule_id where u.id is null
    union all select s.evaluation_id from rule_samples s left join rule_results r using (evaluation_id, rule_id) where r.rule_id is null
    union all select s.evaluation_id from rule_scores s join evaluations e on e.id = s.evaluation_id
      where e.contract_id <> s.contract_id or e.status <> 'Completed' or e.evaluated_at <> s.evaluated_at
    union all select evaluation_id from sample_requests where evaluation_id in ${sql(started.map(({ id }) => id))}`;
  expect(orphans).toEqual([]);
  for (const attempt of [
    () => seriesOf(archived),
    () => listRuleStates(ctx, archived.id),
    () => getChanges(ctx, { id: started[1].id }),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
});

describe("a long series", () => {
  test("has as many points as requested, and loses no dip", async () => {
    const contract = await contractOf(aRule("Volume", { maxRows: 4 }));
    const key = contract.rules[0]?.key ?? "";
    // One failure in a hundred, in the 57th minute.
    const made = await past(
      contract.id,
      key,
      Array.from({ length: 100 }, (_, minute) => minute !== 56),
    );
    const from = "2026-01-01T00:00:00Z";
    const all = await seriesOf(contract, { from, take: 500 });
    expect(all).toMatchObject({ evaluations: 100, isDownsampled: false });
    expect(all.points.map(({ evaluationId }) => evaluationId)).toEqual(made.map(({ id }) => id));

    const ten = await seriesOf(contract, { from, take: 10 });
    expect(ten).toMatchObject({ evaluations: 100, isDownsampled: true });
    expect(ten.points.map(({ overallScore }) => overallScore)).toEqual([
      100, 100, 100, 100, 100, 0, 100, 100, 100, 100,
    ]);
    expect(ten.points[5]?.evaluationId).toBe(made[56]?.id);
    expect(ten.rules[0]?.points.map(({ passed }) => passed)).toEqual(
      ten.points.map(({ overallScore }) => overallScore === 100),
    );
    expect(ten.rules[0]?.points[5]).toMatchObject({ evaluationId: made[56]?.id, measured: 56 });

    // Without a start, the latest points; with both ends, the first and not the last of them.
    expect((await seriesOf(contract, { take: 3 })).points.map(({ evaluationId }) => evaluationId)).toEqual(
      made.slice(-3).map(({ id }) => id),
    );
    const part = await seriesOf(contract, { from: "2026-01-01T00:10:00Z", to: "2026-01-01T00:12:00Z" });
    expect(part.points.map(({ evaluationId }) => evaluationId)).toEqual([made[10]?.id, made[11]?.id]);
  });

  test("without evaluations is empty", async () => {
    const contract = await contractOf(aRule("Volume", { maxRows: 4 }));
    const [rule] = contract.rules.map(({ key, name, type }) => ({ key, name, type }));
    expect(await seriesOf(contract, { from: "2026-01-01T00:00:00Z" })).toEqual({
      evaluations: 0,
      isDownsampled: false,
      points: [],
      rules: [{ ...rule, unit: "Rows", isCurrent: true, points: [] }],
    });
    for (const wrong of [
      { take: 0 },
      { take: 501 },
      { from: "2026-01-01" },
      { from: "0001-01-01T00:00:00+14:00" },
    ])
      expect(seriesInput.safeParse({ id: 1, ...wrong }).success).toBe(false);
  });
});

describe("a rule's standing", () => {
  const stateAfter = async (...passes: boolean[]) => {
    const contract = await contractOf(aRule("Volume", { maxRows: 4 }));
    const key = contract.rules[0]?.key ?? "";
    const made = await past(contract.id, key, passes);
    return { made, items: (await listRuleStates(ctx, contract.id)).items };
  };
  const at = (evaluation: { id: number; evaluatedAt: Date } | undefined) => ({
    evaluationId: evaluation?.id,
    evaluatedAt: evaluation?.evaluatedAt,
  });

  test("says since when it fails: its first failure after the last pass", async () => {
    const { made, items } = await stateAfter(false, true, true, false, false, false);
    expect(items).toMatchObject([
      {
        name: "Volume",
        passed: false,
        score: 0,
        measured: 5,
        ...at(made[5]),
        since: at(made[3]),
        consecutive: 3,
        lastChange: at(made[3]),
      },
    ]);
  });

  test("says when it recovered, and nothing about a change if there was none", async () => {
    const recovered = await stateAfter(false, true);
    expect(recovered.items).toMatchObject([
      { passed: true, consecutive: 1, since: at(recovered.made[1]), lastChange: at(recovered.made[1]) },
    ]);
    const always = await stateAfter(false, false);
    expect(always.items).toMatchObject([
      { passed: false, consecutive: 2, since: at(always.made[0]), lastChange: null },
    ]);
    expect((await stateAfter()).items).toEqual([]);
  });

  test("is not interrupted by an edit", async () => {
    const contract = await contractOf(aRule("Volume", { maxRows: 3 }));
    const first = await evaluate(contract);
    const [key] = contract.rules.map((rule) => rule.key);
    const { rules } = await edit(contract, {
      rules: [aRule("Volume", { maxRows: 2 }, { key, name: "Renamed" })],
    });
    await evaluate(contract);
    expect((await listRuleStates(ctx, contract.id)).items).toMatchObject([
      {
        ruleId: rules[0]?.id,
        name: "Renamed",
        passed: false,
        consecutive: 2,
        since: { evaluationId: first.id },
      },
    ]);
  });
});

describe("changes", () => {
  test("compare two evaluations, even across an edit", async () => {
    const contract = await contractOf(
      aRule("Volume", { maxRows: 4 }, { name: "Small" }),
      aRule("NullRate", { column: "code", maxNullPercent: 0 }, { name: "Filled" }),
      aRule("Uniqueness", { column: "id" }, { name: "Unique" }),
    );
    const [small, filled] = contract.rules.map(({ key }) => key);
    const first = await evaluate(contract);
    expect(await getChanges(ctx, { id: first.id })).toMatchObject({
      evaluation: { id: first.id, overallScore: first.overallScore },
      comparedWith: null,
      scoreDelta: null,
      rules: [],
    });
    await sql`insert into orders (id, code) values (5, null)`;
    await edit(contract, {
      rules: [
        aRule("Volume", { maxRows: 4 }, { name: "Small", key: small }),
        aRule("NullRate", { column: "code", maxNullPercent: 0 }, { name: "Filled", key: filled }),
        aRule("Volume", { minRows: 1 }, { name: "Not empty" }),
      ],
    });
    const second = await evaluate(contract);
    const changes = await getChanges(ctx, { id: second.id });
    // (100 + 75 + 0) / 3 = 58.33, then (0 + 60 + 100) / 3 = 53.33
    expect(changes).toMatchObject({ comparedWith: { id: first.id, overallScore: 58.33 }, scoreDelta: -5 });
    expect(changes.rules.map(({ name, change, scoreDelta }) => [name, change, scoreDelta])).toEqual([
      ["Small", "NewlyFailing", -100],
      ["Filled", "Worse", -15],
      ["Not empty", "Added", null],
      ["Unique", "Removed", null],
    ]);
    // In the opposite direction.
    const back = await getChanges(ctx, { id: first.id, comparedWith: second.id });
    expect(back.rules.map(({ change }) => change)).toEqual(["Recovered", "Better", "Added", "Removed"]);
    expect(back.scoreDelta).toBe(5);
  });

  test("are not guessed if scores were not stored", async () => {
    const contract = await contractOf(aRule("Volume", { maxRows: 4 }));
    const first = await evaluate(contract);
    await db.delete(ruleScores).where(eq(ruleScores.evaluationId, first.id));
    const second = await evaluate(contract);
    expect(await getChanges(ctx, { id: second.id })).toMatchObject({ scoreDelta: 0, rules: [] });
  });

  test("are for completed evaluations of one contract, and for callers who can access it", async () => {
    const contract = await contractOf(aRule("CustomSql", { sql: "select 1 as passed from pg_sleep(0.3)" }));
    const running = await startEvaluation(ctx, contract.id);
    await expect(getChanges(ctx, { id: running.id })).rejects.toMatchObject({ code: "conflict" });
    const completed = await evaluate(contract);
    const other = await evaluate(await contractOf(aRule("Volume", { maxRows: 4 })));
    await expect(getChanges(ctx, { id: completed.id, comparedWith: other.id })).rejects.toMatchObject({
      code: "rejected",
    });
    const stranger = await asAdmin({ projectIds: [] });
    for (const attempt of [
      () => getChanges(stranger, { id: completed.id }),
      () => getSeries(stranger, seriesInput.parse({ id: contract.id })),
      () => listRuleStates(stranger, contract.id),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
  });
});

test("scores from before a migration are derived from the stored results", async () => {
  const contract = await contractOf(
    aRule("Freshness", { column: "seen_at", maxAgeMinutes: 5 }),
    aRule("Volume", { maxRows: 3 }),
    aRule("NullRate", { column: "code", maxNullPercent: 10 }),
    aRule("Uniqueness", { column: "id" }),
    aRule("Referential", { column: "customer", referenceTable: "customers", referenceColumn: "id" }),
    aRule("Range", { column: "price", max: "15" }),
    aRule("Pattern", { column: "code", pattern: "." }),
    aRule("CustomSql", { sql: "select 1 as passed, -42.5 as actual_value" }),
    aRule("CustomSql", { sql: "select 1 as passed, 'many' as actual_value" }),
    aRule("NullRate", { column: "gone", maxNullPercent: 10 }),
  );
  const { id } = await evaluate(contract);
  const kept = () =>
    db.select().from(ruleScores).where(eq(ruleScores.evaluationId, id)).orderBy(ruleScores.position);
  const before = await kept();
  await db.delete(ruleScores);
  const migration = readFileSync(new URL("../../../drizzle/0015_rule-scores.sql", import.meta.url), "utf8");
  await sql.unsafe(migration.slice(migration.indexOf('INSERT INTO "rule_scores"')));
  expect(await kept()).toEqual(before);
});
