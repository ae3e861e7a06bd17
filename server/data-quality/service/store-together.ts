import { sql } from "drizzle-orm";
import { groupDb } from "../../db/client.ts";
import { compiledStatement } from "../../db/compiled.ts";
import { anyOf, gathered } from "../../db/gathered.ts";
import { env } from "../../env.ts";
import { sendEvents } from "../../jobs/client.ts";
import type { Lease } from "../../jobs/leases.ts";
import { evaluations, ruleResults, ruleScores, sampleRequests } from "../evaluations/tables.ts";
import { evaluationStored } from "../events.ts";
import { contracts, rules } from "../tables.ts";
import { addScores, takesScores, wereAllAdded } from "./add-scores.ts";
import type { MeasuredRule } from "./measurement-queue.ts";
import { resultRows, resultsFrom } from "./result-rows.ts";
import { lockKey, type WatchedTable } from "./table-scores.ts";

type Result = MeasuredRule<typeof rules.$inferSelect>;

/** A scheduled evaluation of which at least one rule could be measured, and whose statements cost nothing. */
export type Finished = {
  lease: Lease;
  contract: WatchedTable & { id: number };
  results: readonly Result[];
  overallScore: number;
  executionTimeMs: number;
};

/** Whether the results are the same however the contract keeps failing rows. */
export const canBeStoredTogether = (results: readonly Result[]): boolean =>
  results.length > 0 &&
  results.every(
    ({ verdict }) => !verdict.sample && !verdict.groups && Number.isFinite(verdict.measured?.toNumber() ?? 0),
  );

/**
 * Stores evaluations of which nobody has to be told: those that score at least their threshold, whose contracts have
 * neither an open alert nor an open task, and whose tables could be measured the last time, too. Those that finish at the
 * same time are stored in one statement. Returns null for an evaluation that is not such a one, whose lease is lost,
 * or whose contract or table is being changed at the moment or is no longer the same; nothing is stored of it then.
 * store-evaluation.ts stores those, and says what all this means.
 *
 * Waits for nobody while it holds the locks of several: what others have locked is left out.
 */
export const storeTogether = gathered(async (finished: readonly Finished[]) => {
  const stored = await (env().OPENLINEAGE_URL === undefined ? store(finished) : storeAndSend(finished));
  const outcomes = new Map(stored.map(({ id, wantsSamples }) => [id, { wantsSamples }]));
  return finished.map(({ lease }) => outcomes.get(lease.id) ?? null);
});

const storeAndSend = (finished: readonly Finished[]) =>
  groupDb.transaction(async (tx) => {
    const stored = await store(finished);
    await sendEvents(
      tx,
      stored.map(({ id }) =>
        evaluationStored.create({ evaluationId: id }, { id: `evaluation-stored-${id}` }),
      ),
    );
    return stored;
  });

const store = (finished: readonly Finished[]) =>
  write({
    finished: JSON.stringify(finished.map(evaluationRow)),
    // Without groups, they do not depend on how failing rows are kept.
    results: JSON.stringify(finished.flatMap(({ lease, results }) => resultRows(lease.id, results, "Off"))),
  });

const write = compiledStatement<{ id: number; wantsSamples: boolean }, { finished: string; results: string }>(
  groupDb,
  () => sql`
      with given as materialized (
        select * from json_to_recordset(${sql.placeholder("finished")}::json) as given (
          id integer, token uuid, contract_id integer, data_source_id integer, schema_name text, table_name text,
          lock_key text, overall_score numeric, passed_count integer, failed_count integer, execution_time_ms integer)
      ),
      result as materialized (
        ${resultsFrom(sql`${sql.placeholder("results")}`)}
      ),
      locked as materialized (
        select lock_key from (select distinct lock_key from given) as watched
        where pg_try_advisory_xact_lock(hashtextextended(lock_key, 0))
      ),
      contract as materialized (
        select c.id, c.samples, c.data_source_id, c.schema_name, c.table_name
        from given join locked using (lock_key) join ${contracts} as c on c.id = contract_id
        where c.id = ${anyOf("given", "contract_id")} and c.archived_at is null
          and (c.data_source_id, c.schema_name, c.table_name)
            = (given.data_source_id, given.schema_name, given.table_name)
          and overall_score >= c.failure_threshold and ${takesScores("given")}
          and not c.id = any(array(
            select contract_id from contract_alerts where contract_id = ${anyOf("given", "contract_id")}))
          and not c.id = any(array(
            select contract_id from tasks where contract_id = ${anyOf("given", "contract_id")} and status = 'Open'))
        order by c.id for share of c skip locked
      ),
      done as (
        update ${evaluations} as e set
          status = 'Completed', overall_score = given.overall_score, passed_count = given.passed_count,
          failed_count = given.failed_count, rules_done = given.passed_count + given.failed_count,
          rules_running = '{}', execution_time_ms = given.execution_time_ms, evaluated_at = clock_timestamp()
        from given join contract on contract.id = given.contract_id
        where e.id = given.id and e.id = ${anyOf("given", "id")} and e.lease_token = given.token and e.status = 'Running'
        returning e.id, contract.data_source_id, contract.schema_name, contract.table_name, e.evaluated_at,
          e.overall_score, contract.samples
      ),
      ${addScores},
      scored as (
        insert into ${ruleScores} (evaluation_id, key, contract_id, evaluated_at, position, name, type, passed, score,
          measured)
        select evaluation_id, key, contract_id, evaluated_at, position, name, type, passed, score, measured
        from result join done on done.id = evaluation_id
      ),
      kept as (
        insert into ${ruleResults} (evaluation_id, rule_id, position, passed, could_run, score, expected_value,
          actual_value, message, failing, known_failures, execution_time_ms)
        select evaluation_id, rule_id, result.position, passed, could_run, score, expected_value, actual_value, message,
          failing, known_failures, execution_time_ms
        from result join done on done.id = evaluation_id join ${rules} on rules.id = rule_id
        where rules.id = ${anyOf("result", "rule_id")}
        returning evaluation_id, rule_id
      ),
      sampled as (
        insert into ${sampleRequests} (evaluation_id)
        select distinct evaluation_id from kept join result using (evaluation_id, rule_id)
        join done on done.id = evaluation_id where wants_sample and samples <> 'Off'
        returning evaluation_id
      )
      select id, id in (select evaluation_id from sampled) as "wantsSamples" from done
      where ${wereAllAdded}`,
);

function evaluationRow({ lease, contract, results, overallScore, executionTimeMs }: Finished) {
  const passed = results.filter(({ verdict }) => verdict.passed).length;
  const { dataSourceId, schemaName, tableName } = contract;
  return {
    ...{ id: lease.id, token: lease.token, contract_id: contract.id, lock_key: lockKey(contract) },
    ...{ data_source_id: dataSourceId, schema_name: schemaName, table_name: tableName },
    ...{ overall_score: overallScore, passed_count: passed, failed_count: results.length - passed },
    execution_time_ms: executionTimeMs,
  };
}
