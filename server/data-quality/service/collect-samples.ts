import { performance } from "node:perf_hooks";
import { and, asc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { chargeTo } from "../../data-sources/charge-to.ts";
import { isSourceError } from "../../data-sources/engines/engine.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { findKeyColumns } from "../../data-sources/service/known-tables.ts";
import { trimSample } from "../../data-sources/trim-sample.ts";
import { db } from "../../db/client.ts";
import { defineLeasedWork } from "../../jobs/leased-work.ts";
import { type Lease, leasesOn } from "../../jobs/leases.ts";
import { log } from "../../telemetry/log.ts";
import {
  evaluations,
  type KeptSample,
  ruleResults,
  ruleSamples,
  sampleRequests,
} from "../evaluations/tables.ts";
import { limits } from "../limits.ts";
import { readFailingValues } from "../read-failing-values.ts";
import { readSample, sampleOptions } from "../read-sample.ts";
import { hasSample, readsSample } from "../rules/has-sample.ts";
import { contracts, rules } from "../tables.ts";

/**
 * Stores samples of failing rows after an evaluation. Uses only connections that nobody else needs at the moment, one
 * sample at a time: an evaluation never waits for it, and its errors never affect one. A sample that cannot be read,
 * for any reason, is skipped.
 */
const leases = leasesOn(sampleRequests, sql`true`, limits);
const work = defineLeasedWork({ name: "sample", leases, times: limits, run: takeSamples });

/** One run at a time in this process; a call during it joins it, and has it look for pending samples again. */
const sampling = { underWay: null as Promise<void> | null, again: false };

/** Collects all pending samples. Never rejects. */
export function collectDueSamples(): Promise<void> {
  sampling.again = true;
  sampling.underWay ??= takeAll().finally(() => {
    sampling.underWay = null;
  });
  return sampling.underWay;
}

/** The same for the scheduled check: returns immediately if a run is in progress. */
export async function collectSamplesOnSchedule(): Promise<void> {
  if (!sampling.underWay) await collectDueSamples();
}

async function takeAll(): Promise<void> {
  while (sampling.again) {
    sampling.again = false;
    await work.recover().catch((err) => log.warn({ err }, "Samples could not be collected"));
  }
}

type Wanted = NonNullable<Awaited<ReturnType<typeof load>>>;
type FailedRule = Wanted["failed"][number];

async function takeSamples(lease: Lease): Promise<void> {
  const wanted = lease.attempt > limits.maxAttempts ? null : await load(lease);
  const until = performance.now() + limits.samplesTimeoutMs;
  for (const rule of wanted?.failed ?? []) {
    const timeoutMs = Math.min(limits.sampleTimeoutMs, until - performance.now());
    if (!wanted || timeoutMs <= 0) break;
    const outcome = await chargeTo(wanted, () => takeSample(wanted, rule, timeoutMs));
    if (outcome === "later") return rest(lease);
    if (outcome === "unreachable") break;
  }
  await db.delete(sampleRequests).where(leases.isHeldBy(lease));
}

/**
 * The rules with failing rows that have no sample yet; null if samples are no longer wanted: the contract was archived or keeps
 * none. The results of edited rules are deleted, and their samples with them.
 */
async function load(lease: Lease) {
  const [request] = await db
    .select({
      evaluationId: evaluations.id,
      contractId: evaluations.contractId,
      dataSourceId: evaluations.dataSourceId,
      schemaName: evaluations.schemaName,
      tableName: evaluations.tableName,
      mode: contracts.samples,
    })
    .from(sampleRequests)
    .innerJoin(evaluations, eq(evaluations.id, sampleRequests.evaluationId))
    .innerJoin(contracts, eq(contracts.id, evaluations.contractId))
    .where(and(leases.isHeldBy(lease), isNull(contracts.archivedAt)));
  if (!request || request.mode === "Off") return null;
  const { mode, evaluationId, contractId, ...table } = request;
  const failed = await db
    .select({
      id: rules.id,
      type: rules.type,
      column: rules.column,
      configuration: rules.configuration,
      passed: ruleResults.passed,
      couldRun: ruleResults.couldRun,
      failing: ruleResults.failing,
    })
    .from(ruleResults)
    .innerJoin(rules, eq(rules.id, ruleResults.ruleId))
    .leftJoin(
      ruleSamples,
      and(eq(ruleSamples.evaluationId, ruleResults.evaluationId), eq(ruleSamples.ruleId, rules.id)),
    )
    .where(
      and(
        eq(ruleResults.evaluationId, evaluationId),
        or(eq(ruleResults.passed, false), gt(ruleResults.failing, 0)),
        isNull(ruleSamples.ruleId),
      ),
    )
    .orderBy(asc(ruleResults.position));
  return {
    evaluationId,
    contractId,
    ...table,
    mode,
    keyColumns: await findKeyColumns(table.dataSourceId, table),
    failed: failed.filter((rule) => hasSample(rule, rule) && readsSample(rule)),
  };
}

/** "later" if no connection is free; "unreachable" if continuing is pointless. */
async function takeSample(
  { evaluationId, dataSourceId, schemaName, tableName, keyColumns, mode }: Wanted,
  rule: FailedRule,
  timeoutMs: number,
): Promise<"done" | "later" | "unreachable"> {
  const target = { schemaName, tableName };
  const until = performance.now() + timeoutMs;
  try {
    const found = await useDatabase(
      dataSourceId,
      (dialect, source) =>
        readSample({ dialect, target, rule, keyColumns, timeoutMs }, (read) => source.spareSession(read)),
      "schedule",
    );
    if (found === "no session") return "later";
    const sample =
      found && trimSample(found, sampleOptions(rule.type, { keyColumns, column: rule.column, mode }));
    if (!sample || sample.rows.length === 0) return "done";
    const byValue = await useDatabase(
      dataSourceId,
      (dialect, source) =>
        readFailingValues(
          { dialect, target, rule, timeoutMs: Math.ceil(until - performance.now()) },
          { mode, found, sample },
          (read) => source.spareSession(read),
        ),
      "schedule",
    );
    await keep(evaluationId, rule, { ...sample, byValue });
    return "done";
  } catch (err) {
    if (!isSourceError(err)) log.warn({ err, evaluation: evaluationId }, "A sample could not be collected");
    return isSourceError(err) && err.kind === "unreachable" ? "unreachable" : "done";
  }
}

/** If the rule was edited meanwhile, its result no longer exists and nothing is stored. */
async function keep(evaluationId: number, { id: ruleId }: FailedRule, sample: KeptSample): Promise<void> {
  await db.transaction(async (tx) => {
    const [result] = await tx
      .select({ ruleId: ruleResults.ruleId })
      .from(ruleResults)
      .where(and(eq(ruleResults.evaluationId, evaluationId), eq(ruleResults.ruleId, ruleId)))
      .for("key share");
    if (result) await tx.insert(ruleSamples).values({ evaluationId, ruleId, sample }).onConflictDoNothing();
  });
}

/** Postpones, without counting an attempt; limited in time, because rows change. */
async function rest(lease: Lease): Promise<void> {
  const [resting] = await db
    .update(sampleRequests)
    .set({
      leaseUntil: sql`clock_timestamp() + ${limits.sampleRestMs} * interval '1 millisecond'`,
      attempts: sql`${sampleRequests.attempts} - 1`,
    })
    .where(
      and(
        leases.isHeldBy(lease),
        sql`${sampleRequests.createdAt} > clock_timestamp() - ${limits.samplePatienceMs} * interval '1 millisecond'`,
      ),
    )
    .returning({ id: sampleRequests.id });
  if (!resting) await db.delete(sampleRequests).where(leases.isHeldBy(lease));
}
