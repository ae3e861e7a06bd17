import { sql } from "drizzle-orm";
import type { RunCost } from "../../data-sources/cost.ts";
import type { SampleMode } from "../../data-sources/sample.ts";
import { projectsOf } from "../../data-sources/service/same-project.ts";
import { trimSample } from "../../data-sources/trim-sample.ts";
import { groupDb, type Transaction } from "../../db/client.ts";
import { compiledStatement } from "../../db/compiled.ts";
import { anyOf } from "../../db/gathered.ts";
import { sideBySide } from "../../db/in-one-go.ts";
import { env } from "../../env.ts";
import { sendEvents } from "../../jobs/client.ts";
import type { Lease } from "../../jobs/leases.ts";
import { sendInProject } from "../../realtime/service.ts";
import { recordFindings, recordRecoveries } from "../../tasks/service/findings.ts";
import { isBelow } from "../alert-policy.ts";
import { evaluations, ruleResults, ruleSamples, ruleScores, sampleRequests } from "../evaluations/tables.ts";
import { evaluationStored } from "../events.ts";
import { foundSample } from "../read-sample.ts";
import { hasSample, readsSample } from "../rules/has-sample.ts";
import { contracts, rules } from "../tables.ts";
import type { EvaluatedContract, EvaluatedRule } from "./evaluated-contract.ts";
import type { MeasuredRule } from "./measurement-queue.ts";
import { notifyAlerts } from "./notify-alerts.ts";
import { resultRows, resultsFrom } from "./result-rows.ts";
import { refreshTableScores } from "./table-scores.ts";

/** An evaluation whose rules have been measured. */
export type Evaluated = {
  lease: Lease;
  contract: EvaluatedContract;
  results: readonly MeasuredRule<EvaluatedRule>[];
  score: number;
  /** Why the data source was unreachable, if that prevented measuring any rule. */
  notEvaluatedBecause: string | null;
  executionTimeMs: number;
  cost: RunCost | null;
};

/** Whether its failing rows are still to be read. */
export type Stored = { wantsSamples: boolean };

/**
 * Stores evaluations of different contracts, with all that store-evaluation.ts says; each statement is for all of them. Returns
 * null for those whose lease is lost, and of which nothing is stored. Contracts that others have locked are waited for, or
 * skipped like these.
 */
export async function storeEvaluations(
  tx: Transaction,
  runs: readonly Evaluated[],
  ifLocked: "wait" | "skip",
): Promise<readonly (Stored | null)[]> {
  const completed = await complete(runs, ifLocked);
  if (completed.length === 0) return runs.map(() => null);
  const [kept, projectIds] = await sideBySide(
    storeResults(completed),
    projectsOf(
      tx,
      completed.map(({ contract }) => contract.dataSourceId),
    ),
  );
  const sampled = completed.map((run) => ({ ...run, ...samplesOf(run, kept) }));
  const samples = sampled.flatMap(({ samples }) => samples);
  const requests = sampled.flatMap(({ lease, wantsSamples }) =>
    wantsSamples ? { evaluationId: lease.id } : [],
  );
  await sideBySide(
    samples.length > 0 && tx.insert(ruleSamples).values(samples),
    requests.length > 0 && tx.insert(sampleRequests).values(requests),
    refreshTableScores(
      tx,
      completed.map(({ contract }) => contract),
    ),
  );
  // Last, because alerts send events.
  await tellOfScores(tx, completed, projectIds);
  await tellOfEnds(tx, completed, projectIds);
  const stored = new Map(sampled.map(({ lease, wantsSamples }) => [lease.token, { wantsSamples }]));
  return runs.map(({ lease }) => stored.get(lease.token) ?? null);
}

/** The contract as it is when its evaluation is stored. */
type Current = {
  id: number;
  name: string;
  alertOnFailure: boolean;
  failureThreshold: number;
  reminderHours: number | null;
  timezone: string;
  createTasks: boolean;
  ownerId: number | null;
  isSilenced: boolean;
  isArchived: boolean;
  samples: SampleMode;
  evaluatedAt: Date;
  scheduledFor: Date | null;
  requestedById: number | null;
};

type Completed = Evaluated & { current: Current };

/** Completes, in the open transaction, those evaluations whose leases are held; locks their contracts against edits. */
async function complete(
  runs: readonly Evaluated[],
  ifLocked: "wait" | "skip",
): Promise<readonly Completed[]> {
  const rows = runs.map(({ lease, contract, results, score, notEvaluatedBecause, executionTimeMs, cost }) => {
    const passed = passedOf(results);
    return {
      ...{ id: lease.id, token: lease.token, contract_id: contract.id, overall_score: score },
      ...{ passed_count: passed, failed_count: results.length - passed, rules_done: results.length },
      ...{ not_evaluated_because: notEvaluatedBecause, execution_time_ms: executionTimeMs, cost },
    };
  });
  const found = await completing[ifLocked]({ runs: JSON.stringify(rows) });
  const byToken = new Map(
    found.map(({ token, evaluatedAt, scheduledFor, ...current }) => [
      token,
      {
        ...current,
        evaluatedAt: new Date(evaluatedAt),
        scheduledFor: scheduledFor === null ? null : new Date(scheduledFor),
      },
    ]),
  );
  return runs.flatMap((run) => {
    const current = byToken.get(run.lease.token);
    return current ? { ...run, current } : [];
  });
}

type CompletedRow = Omit<Current, "evaluatedAt" | "scheduledFor"> & {
  token: string;
  evaluatedAt: string;
  scheduledFor: string | null;
};

const statementToComplete = (ifLocked: "wait" | "skip") =>
  compiledStatement<CompletedRow, { runs: string }>(
    groupDb,
    () => sql`
      with given as materialized (
        select * from json_to_recordset(${sql.placeholder("runs")}::json) as given (
          id integer, token uuid, contract_id integer, overall_score numeric, passed_count integer,
          failed_count integer, rules_done integer, not_evaluated_because text, execution_time_ms integer, cost jsonb)
      ),
      contract as materialized (
        select id, name, alert_on_failure, failure_threshold, reminder_hours, timezone, create_tasks, owner_id,
          coalesce(silenced_until > clock_timestamp(), false) as is_silenced, archived_at is not null as is_archived,
          samples
        from ${contracts} where id = ${anyOf("given", "contract_id")}
        order by id for share ${sql.raw(ifLocked === "skip" ? "skip locked" : "")}
      )
      update ${evaluations} as e set
        status = 'Completed', overall_score = given.overall_score, passed_count = given.passed_count,
        failed_count = given.failed_count, rules_done = given.rules_done, rules_running = '{}',
        not_evaluated_because = given.not_evaluated_because, execution_time_ms = given.execution_time_ms,
        cost = given.cost, evaluated_at = clock_timestamp()
      from given join contract on contract.id = given.contract_id
      where e.id = given.id and e.id = ${anyOf("given", "id")} and e.lease_token = given.token and e.status = 'Running'
      returning given.token, contract.id, contract.name, contract.alert_on_failure as "alertOnFailure",
        contract.failure_threshold::float8 as "failureThreshold", contract.reminder_hours as "reminderHours",
        contract.timezone, contract.create_tasks as "createTasks", contract.owner_id as "ownerId",
        contract.is_silenced as "isSilenced", contract.is_archived as "isArchived", contract.samples,
        e.evaluated_at as "evaluatedAt", e.scheduled_for as "scheduledFor", e.requested_by_id as "requestedById"`,
  );

const completing = { wait: statementToComplete("wait"), skip: statementToComplete("skip") };

const passedOf = (results: Evaluated["results"]) => results.filter(({ verdict }) => verdict.passed).length;

/**
 * Stores, in the open transaction, the results of rules that are still as they were measured: an edit gives a rule that it changes another id. Of the
 * others, as of all, the scores in their series. Returns the ids of the former.
 */
async function storeResults(completed: readonly Completed[]): Promise<ReadonlySet<number>> {
  const rows = completed.flatMap(({ lease, current, results, notEvaluatedBecause }) =>
    resultRows(lease.id, results, current.samples).map((row) => ({
      ...row,
      stored_at: current.evaluatedAt,
      is_measured: notEvaluatedBecause === null,
    })),
  );
  const kept = await insertResults({ results: JSON.stringify(rows) });
  return new Set(kept.map(({ id }) => id));
}

const insertResults = compiledStatement<{ id: number }, { results: string }>(
  groupDb,
  () => sql`
    with result as materialized (${resultsFrom(sql`${sql.placeholder("results")}`)}),
    scored as (
      insert into ${ruleScores} (evaluation_id, key, contract_id, evaluated_at, position, name, type, passed, score,
        measured)
      select evaluation_id, key, contract_id, stored_at, position, name, type, passed, score, measured
      from result where is_measured
    )
    insert into ${ruleResults} (evaluation_id, rule_id, position, passed, could_run, score, expected_value, actual_value,
      message, failing, groups, known_failures, execution_time_ms)
    select evaluation_id, rule_id, result.position, passed, could_run, score, expected_value, actual_value, message,
      failing, groups, known_failures, execution_time_ms
    from result join ${rules} on rules.id = rule_id
    where rules.id = ${anyOf("result", "rule_id")}
    returning rule_id as id`,
);

/** The failing rows that measuring found, and whether there are some to be read, of rules whose results are kept. */
function samplesOf({ lease, current, results }: Completed, kept: ReadonlySet<number>) {
  const { samples: mode, isArchived } = current;
  if (isArchived || mode === "Off") return { samples: [], wantsSamples: false };
  const unchanged = results.filter(({ rule }) => kept.has(rule.id));
  const samples = unchanged.flatMap(({ rule, verdict }): (typeof ruleSamples.$inferInsert)[] => {
    const sample = verdict.sample && trimSample(verdict.sample, foundSample(mode));
    return sample && sample.rows.length > 0 ? [{ evaluationId: lease.id, ruleId: rule.id, sample }] : [];
  });
  const wantsSamples = unchanged.some(({ rule, verdict }) => hasSample(rule, verdict) && readsSample(rule));
  return { samples, wantsSamples };
}

/**
 * A scheduled score below the threshold opens the contract's task, also when nothing could be measured; only a measured
 * score at or above it resolves the task. Silence and recipients do not matter there. Then alerts are sent.
 */
async function tellOfScores(
  tx: Transaction,
  completed: readonly Completed[],
  projectIds: ReadonlyMap<number, number>,
): Promise<void> {
  const scheduled = completed.filter(({ current }) => !current.isArchived && current.scheduledFor !== null);
  const isFailure = ({ score, current }: Completed) => isBelow(score, current.failureThreshold);
  const findings = scheduled.flatMap((run) => {
    const { current, contract, score } = run;
    const projectId = projectIds.get(contract.dataSourceId);
    if (!isFailure(run) || !current.createTasks || projectId === undefined) return [];
    return { of: { contractId: current.id, projectId }, found: { score }, at: current.evaluatedAt };
  });
  const recoveries = scheduled
    .filter((run) => !isFailure(run) && run.notEvaluatedBecause === null)
    .map(({ current, score }) => ({ contractId: current.id, score, at: current.evaluatedAt }));
  const [tasks] = await sideBySide(recordFindings(tx, findings), recordRecoveries(tx, recoveries));
  const taskOf = new Map(findings.map(({ of }, place) => [of.contractId, tasks[place]]));
  await notifyAlerts(
    tx,
    scheduled.flatMap(({ lease, contract, results, score, notEvaluatedBecause, current }) => {
      const { evaluatedAt, scheduledFor, ...terms } = current;
      if (scheduledFor === null) return [];
      const task = taskOf.get(current.id);
      const run = {
        ...{ evaluationId: lease.id, table: contract, overallScore: score, passedCount: passedOf(results) },
        ...{ evaluatedAt, scheduledFor, notEvaluatedBecause },
        failed: results
          .filter(({ verdict }) => !verdict.passed)
          .map(({ rule: { key, name }, verdict }) => ({ key, name, ...verdict })),
        freeTaskId: task?.assigneeId === null ? task.taskId : null,
      };
      return { contract: terms, run };
    }),
  );
}

/** Those who asked for an evaluation see that it has ended; so does OpenLineage, if it is configured. */
async function tellOfEnds(
  tx: Transaction,
  completed: readonly Completed[],
  projectIds: ReadonlyMap<number, number>,
): Promise<void> {
  for (const { lease, contract, current } of completed)
    if (current.requestedById !== null)
      await sendInProject(tx, projectIds.get(contract.dataSourceId) ?? 0, [current.requestedById], {
        name: "JobStatusChanged",
        data: { kind: "Evaluation", id: lease.id, status: "Completed" },
      });
  if (env().OPENLINEAGE_URL === undefined) return;
  await sendEvents(
    tx,
    completed.map(({ lease: { id } }) =>
      evaluationStored.create({ evaluationId: id }, { id: `evaluation-stored-${id}` }),
    ),
  );
}
