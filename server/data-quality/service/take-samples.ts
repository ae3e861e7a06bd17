import { performance } from "node:perf_hooks";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { isSourceError, type ResultSet } from "../../data-sources/engines/engine.ts";
import { findKeyColumns } from "../../data-sources/service/known-tables.ts";
import { useSource } from "../../data-sources/service.ts";
import { db } from "../../db/client.ts";
import { defineLeasedWork } from "../../jobs/leased-work.ts";
import { type Lease, leasesOn } from "../../jobs/leases.ts";
import { log } from "../../log.ts";
import { limits } from "../limits.ts";
import { hasSample, readSample } from "../measure-sample.ts";
import { sampleOf } from "../sample.ts";
import { contracts, evaluations, ruleResults, ruleSamples, rules, sampleRequests } from "../tables.ts";

/**
 * Looks at some of the rows that rules failed for, once their evaluation is stored, and keeps them. It is done on
 * connections that nobody else wants at that moment, one look at a time: an evaluation never waits for it, and what
 * goes wrong with it changes nothing of one. A look that cannot be had, for whatever reason, is left out.
 */
const leases = leasesOn(sampleRequests, sql`true`, limits);
const work = defineLeasedWork({ name: "sample", leases, times: limits, run: takeSamples });

/** One look after the other in this process and all that are due, whoever asks how often. Module copies share it. */
const shared = globalThis as { plumblineSampling?: { underWay: Promise<void> | null; again: boolean } };
shared.plumblineSampling ??= { underWay: null, again: false };
const sampling = shared.plumblineSampling;

/** Takes what is due, and resolves when that is done. Never rejects. */
export function takeDueSamples(): Promise<void> {
  sampling.again = true;
  sampling.underWay ??= takeAll().finally(() => {
    sampling.underWay = null;
  });
  return sampling.underWay;
}

/** The same for who looks in by the clock: while it is done already, there is nothing to wait for. */
export async function lookForDueSamples(): Promise<void> {
  if (!sampling.underWay) await takeDueSamples();
}

async function takeAll(): Promise<void> {
  while (sampling.again) {
    sampling.again = false;
    await work.recover().catch((err) => log.warn({ err }, "Samples could not be taken"));
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
    const outcome = await takeSample(wanted, rule, timeoutMs);
    if (outcome === "later") return rest(lease);
    if (outcome === "unreachable") break;
  }
  await db.delete(sampleRequests).where(leases.isHeldBy(lease));
}

/**
 * The rules that failed and of which there is no sample yet; null when nobody wants any more: the contract was
 * archived or keeps no samples. The results of rules that were edited are gone, and they with them.
 */
async function load(lease: Lease) {
  const [request] = await db
    .select({
      evaluationId: evaluations.id,
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
  const { mode, evaluationId, ...table } = request;
  const failed = await db
    .select({
      id: rules.id,
      type: rules.type,
      column: rules.column,
      configuration: rules.configuration,
      passed: ruleResults.passed,
      message: ruleResults.message,
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
        eq(ruleResults.passed, false),
        isNull(ruleSamples.ruleId),
      ),
    )
    .orderBy(asc(ruleResults.position));
  return {
    evaluationId,
    ...table,
    mode,
    keyColumns: await findKeyColumns(table.dataSourceId, table),
    failed: failed.filter((rule) => hasSample(rule.type, rule)),
  };
}

/** "later" when no connection is to spare; "unreachable" when there is no sense in going on. */
async function takeSample(
  { evaluationId, dataSourceId, schemaName, tableName, keyColumns, mode }: Wanted,
  rule: FailedRule,
  timeoutMs: number,
): Promise<"done" | "later" | "unreachable"> {
  const target = { schemaName, tableName };
  try {
    const found = await useSource(
      dataSourceId,
      (engine, source) =>
        readSample({ engine, target, rule, keyColumns, timeoutMs }, (read) => source.spareSession(read)),
      "schedule",
    );
    if (found === "no session") return "later";
    if (found) await keep(evaluationId, rule, found, { keyColumns, mode });
    return "done";
  } catch (err) {
    if (!isSourceError(err)) log.warn({ err, evaluation: evaluationId }, "A sample could not be taken");
    return isSourceError(err) && err.kind === "unreachable" ? "unreachable" : "done";
  }
}

/** Where the rule was edited meanwhile, its result is gone, and nothing is kept. */
async function keep(
  evaluationId: number,
  { id: ruleId, column }: FailedRule,
  found: ResultSet,
  { keyColumns, mode }: Pick<Wanted, "keyColumns" | "mode">,
): Promise<void> {
  const sample = sampleOf(found, { keyColumns, column, mode });
  if (sample.rows.length === 0) return;
  await db.transaction(async (tx) => {
    const [result] = await tx
      .select({ ruleId: ruleResults.ruleId })
      .from(ruleResults)
      .where(and(eq(ruleResults.evaluationId, evaluationId), eq(ruleResults.ruleId, ruleId)))
      .for("key share");
    if (result) await tx.insert(ruleSamples).values({ evaluationId, ruleId, sample }).onConflictDoNothing();
  });
}

/** Waits for a better moment, which is no attempt of its own; not for ever, as rows change. */
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
