import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "../../db/client.ts";
import { claimOccurrence } from "../../jobs/schedules.ts";
import { occurrences } from "../../jobs/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { rowsRead } from "../../test/sequential-scans.ts";
import { contractAlerts, evaluations, ruleResults, ruleScores, tableScores } from "../evaluations/tables.ts";
import { contracts } from "../tables.ts";
import { evaluateDueContract } from "./evaluate.ts";
import { finishedOf } from "./finished.fixture.ts";
import { type Finished, storeTogether } from "./store-together.ts";

let tables = 0;

/** A scheduled evaluation of a table of its own that has been measured, but not stored. */
async function aFinished(overallScore = 100): Promise<Finished> {
  tables += 1;
  const watched = { schemaName: "public", tableName: `orders_${tables}` };
  const { id, dataSourceId } = await aContract(watched);
  return finishedOf({ id, dataSourceId, ...watched }, overallScore);
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

test("due evaluations read their own rows only, however many others there are", async () => {
  await db.execute(sql`create table public.counted as select 1 as id`);
  const { id: dataSourceId } = await aDataSource();
  const due: number[] = [];
  for (let n = 0; n < 4; n++) due.push((await aContract({ dataSourceId, tableName: "counted" })).id);
  const evaluate = async (scheduledFor: Date) => {
    const asDue = due.map((objectId) => ({ kind: "contract", objectId, scheduledFor }));
    await db.insert(occurrences).values(asDue);
    const outcomes = asDue.map(async (occurrence) => {
      expect(await claimOccurrence(occurrence, "a run")).toBe(true);
      return evaluateDueContract(occurrence.objectId, scheduledFor);
    });
    expect(await Promise.all(outcomes)).toEqual(due.map(() => ({ evaluationId: expect.any(Number) })));
  };
  await db.execute(sql`analyze`);
  for (let minute = 0; minute < 3; minute++) await evaluate(new Date(Date.UTC(2026, 0, 1, 6, minute)));
  await addOthers(dataSourceId, due[0] ?? 0);
  // As PostgreSQL does by itself soon after so many rows have come.
  await db.execute(sql`analyze`);

  const read = await rowsRead([...others.keys()], () => evaluate(new Date(Date.UTC(2026, 0, 1, 7))));
  for (const [table, rows] of read)
    expect({ table, rows: Math.max(rows, 200) }).toEqual({ table, rows: 200 });
  expect(read.size).toBe(others.size);
  const stored = await db.select().from(tableScores).where(eq(tableScores.tableName, "counted"));
  expect(stored).toMatchObject([{ currentScore: 100, trend: "Stable" }]);
});

/** What the tables get that due evaluations read: rows of a thousand other contracts. */
const others = new Map([
  [
    "contracts",
    `insert into contracts (data_source_id, name, schema_name, table_name, cron_expression)
      select $source, 'Other ' || n, 'public', 'other_' || n, '0 6 * * *' from generate_series(1, 1000) as n`,
  ],
  [
    "rules",
    `insert into rules (contract_id, key, position, name, type, "column", severity, weight, enabled, configuration)
      select c.id, gen_random_uuid(), r.position, r.name, r.type, r."column", r.severity, r.weight, true, r.configuration
      from contracts c cross join rules r where r.contract_id = $contract and c.name like 'Other %'`,
  ],
  [
    "evaluations",
    `insert into evaluations (contract_id, data_source_id, schema_name, table_name, trigger, status, overall_score,
        evaluated_at, lease_token, lease_until)
      select id, data_source_id, schema_name, table_name, 'Scheduled', 'Completed', 100, now(), gen_random_uuid(), now()
      from contracts where name like 'Other %'`,
  ],
  [
    "rule_results",
    `insert into rule_results (evaluation_id, rule_id, position, passed, could_run, score, execution_time_ms)
      select e.id, r.id, r.position, true, true, 100, 1
      from evaluations e join rules r using (contract_id) join contracts c on c.id = e.contract_id
      where c.name like 'Other %'`,
  ],
  [
    "table_scores",
    `insert into table_scores (data_source_id, schema_name, table_name, current_score, trend, evaluation_id, evaluated_at,
        history)
      select data_source_id, schema_name, table_name, 100, 'Stable', id, evaluated_at, '[]' from evaluations
      where table_name like 'other%'`,
  ],
  [
    "contract_alerts",
    `insert into contract_alerts (contract_id, opened_at, last_told_at, last_told_for, last_told_score, told_not_evaluated,
        told_rule_keys, told_recipient_ids)
      select id, now(), now(), now(), 10, false, '{}', '{}' from contracts where name like 'Other %'`,
  ],
  [
    "occurrences",
    `insert into occurrences (kind, object_id, scheduled_for)
      select 'contract', id, now() from contracts where name like 'Other %'`,
  ],
]);

async function addOthers(dataSourceId: number, contractId: number): Promise<void> {
  for (const statement of others.values())
    await db.execute(
      sql.raw(statement.replace("$source", `${dataSourceId}`).replace("$contract", `${contractId}`)),
    );
}
