import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "../../db/client.ts";
import { claimOccurrence } from "../../jobs/schedules.ts";
import { occurrences } from "../../jobs/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { sequentiallyRead } from "../../test/sequential-scans.ts";
import { Decimal } from "../decimal.ts";
import { contractAlerts, evaluations, ruleResults, ruleScores, tableScores } from "../evaluations/tables.ts";
import { pass } from "../rules/verdict.ts";
import { contracts, rules } from "../tables.ts";
import { evaluateDueContract } from "./evaluate.ts";
import { beginEvaluation } from "./leases.ts";
import { type Finished, storeTogether } from "./store-together.ts";

let tables = 0;

/** A scheduled evaluation of a table of its own that has been measured, but not stored. */
async function aFinished(overallScore = 100): Promise<Finished> {
  tables += 1;
  const contract = await aContract({ schemaName: "public", tableName: `orders_${tables}` });
  const lease = await beginEvaluation(contract.id, { trigger: "Scheduled", scheduledFor: new Date() });
  if (!lease) throw new Error("The evaluation has not begun");
  const [rule] = await db.select().from(rules).where(eq(rules.contractId, contract.id));
  if (!rule) throw new Error("The contract has no rule");
  const measured = pass({ expected: "at least 0", actual: "7", measured: new Decimal(7) });
  return {
    ...{ lease, overallScore, executionTimeMs: 12 },
    contract: {
      id: contract.id,
      dataSourceId: contract.dataSourceId,
      schemaName: "public",
      tableName: `orders_${tables}`,
    },
    results: [{ rule, verdict: measured, executionTimeMs: 5, unreachableBecause: null }],
  };
}

const evaluationOf = async ({ lease }: Finished) =>
  (await db.select().from(evaluations).where(eq(evaluations.id, lease.id)))[0];

test("evaluations of which nobody has to be told are stored together: results, scores, and the table's score", async () => {
  const all = [await aFinished(), await aFinished(90)];
  expect(await Promise.all(all.map(storeTogether))).toEqual([
    { wantsSamples: false },
    { wantsSamples: false },
  ]);
  for (const finished of all) {
    const isOf = finished.lease.id;
    expect(await evaluationOf(finished)).toMatchObject({
      ...{
        status: "Completed",
        overallScore: finished.overallScore,
        passedCount: 1,
        failedCount: 0,
        rulesDone: 1,
      },
      executionTimeMs: 12,
    });
    expect(await db.select().from(ruleResults).where(eq(ruleResults.evaluationId, isOf))).toMatchObject([
      { passed: true, score: 100, expectedValue: "at least 0", actualValue: "7", executionTimeMs: 5 },
    ]);
    expect(await db.select().from(ruleScores).where(eq(ruleScores.evaluationId, isOf))).toMatchObject([
      { passed: true, score: 100, measured: 7 },
    ]);
    expect(await db.select().from(tableScores).where(eq(tableScores.evaluationId, isOf))).toMatchObject([
      { currentScore: finished.overallScore, previousScore: null, trend: "Stable" },
    ]);
  }
});

test("what somebody has to be told, and what another process has, is left as it was", async () => {
  const below = await aFinished(10);
  const alerted = await aFinished();
  const now = new Date();
  await db.insert(contractAlerts).values({
    ...{
      contractId: alerted.contract.id,
      openedAt: now,
      lastToldAt: now,
      lastToldFor: now,
      lastToldScore: 10,
    },
    ...{ toldNotEvaluated: false, toldRuleKeys: [], toldRecipientIds: [] },
  });
  const archived = await aFinished();
  await db.update(contracts).set({ archivedAt: now }).where(eq(contracts.id, archived.contract.id));
  const taken = await aFinished();
  const lost = { ...taken, lease: { ...taken.lease, token: crypto.randomUUID() } };
  const quiet = await aFinished();
  expect(await Promise.all([below, alerted, archived, lost, quiet].map(storeTogether))).toEqual([
    ...[null, null, null, null],
    { wantsSamples: false },
  ]);
  for (const finished of [below, alerted, archived, taken]) {
    expect(await evaluationOf(finished)).toMatchObject({ status: "Running", overallScore: null });
    expect(await db.$count(ruleResults, eq(ruleResults.evaluationId, finished.lease.id))).toBe(0);
  }
  expect(await db.$count(tasks)).toBe(0);
});

test("nobody waits for a contract that is being changed", async () => {
  const [busy, free] = [await aFinished(), await aFinished()];
  await db.transaction(async (tx) => {
    await tx.select().from(contracts).where(eq(contracts.id, busy.contract.id)).for("update");
    const stored = await elsewhere(() => Promise.all([busy, free].map(storeTogether)));
    expect(stored).toEqual([null, { wantsSamples: false }]);
  });
});

test("due evaluations, from claim to end, find all rows by keys, however few there are", async () => {
  await db.execute(sql`create table public.counted as select 1 as id`);
  const { id: dataSourceId } = await aDataSource();
  const scheduledFor = new Date();
  const due: number[] = [];
  for (let n = 0; n < 3; n++) due.push((await aContract({ dataSourceId, tableName: "counted" })).id);
  await db.insert(occurrences).values(due.map((objectId) => ({ kind: "contract", objectId, scheduledFor })));
  const shared = [
    ...[
      "contracts",
      "rules",
      "evaluations",
      "rule_results",
      "rule_scores",
      "table_scores",
      "contract_alerts",
    ],
    ...["tasks", "known_failures", "occurrences", "data_sources", "data_source_schemas"],
  ];
  const evaluate = async (objectId: number) => {
    expect(await claimOccurrence(db, { kind: "contract", objectId, scheduledFor }, "a run")).toBe(true);
    return evaluateDueContract(objectId, scheduledFor);
  };
  const inFull = await sequentiallyRead(shared, async () => {
    expect(await Promise.all(due.map(evaluate))).toEqual(
      due.map(() => ({ evaluationId: expect.any(Number) })),
    );
  });
  expect(inFull).toEqual([]);
  const stored = await db.select().from(tableScores).where(eq(tableScores.dataSourceId, dataSourceId));
  expect(stored).toMatchObject([
    { currentScore: 100, history: [{ score: 100 }, { score: 100 }, { score: 100 }] },
  ]);
});
