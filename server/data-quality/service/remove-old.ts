import { sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { batchSize, inBatches } from "../../jobs/in-batches.ts";
import { shownScores } from "../limits.ts";

/**
 * Removes old evaluations: first their rule results, then the evaluations themselves with their rules' scores. What a
 * contract or table shows is kept: its score, trend, and history, its latest results, and since when each of its rules
 * passes or fails.
 *
 * Each statement looks at a batch of rows by age, starting where the previous one ended, so kept rows are scanned only
 * once. It skips locked rows: neither side waits for the other.
 */

/** Evaluations per statement; each has about a dozen results. */
const evaluationsAtOnce = batchSize / 10;

type Batch = { seen: number; removed: number; at: string | null; id: number | null };

async function walk(batch: (after: { at: string; id: number }) => Promise<Batch | undefined>) {
  let after = { at: "-infinity", id: 0 };
  return inBatches(async () => {
    const found = await batch(after);
    if (!found || found.at === null || found.id === null) return { removed: 0, isLast: true };
    after = { at: found.at, id: found.id };
    return { removed: found.removed, isLast: found.seen < evaluationsAtOnce };
  });
}

const seen = (areResultsKept: boolean, days: number, { at, id }: { at: string; id: number }) => sql`
  seen as materialized (
    select id, contract_id, evaluated_at from evaluations
    where are_results_kept = ${areResultsKept} and evaluated_at < now() - ${days} * interval '1 day'
      and (evaluated_at, id) > (${at}::timestamptz, ${id})
    order by evaluated_at, id limit ${evaluationsAtOnce}
  )`;

const endOfSeen = sql`
  (select count(*)::int from seen) as seen,
  (select evaluated_at::text from seen order by evaluated_at desc, id desc limit 1) as at,
  (select id from seen order by evaluated_at desc, id desc limit 1) as id`;

/** Whether its contract has had this many evaluations since. */
const hasNewer = (count: number) => sql`
  (select count(*) from (
    select from evaluations newer
    where newer.contract_id = old.contract_id and newer.status = 'Completed'
      and (newer.evaluated_at, newer.id) > (old.evaluated_at, old.id)
    order by newer.evaluated_at desc, newer.id desc limit ${count}) as newest) = ${count}`;

/** Results kept longer than their evaluations would keep these from being removed. */
function resultsKeptDays(): number | null {
  const { RULE_RESULTS_KEPT_DAYS, EVALUATIONS_KEPT_DAYS } = env();
  const days = Math.min(RULE_RESULTS_KEPT_DAYS ?? Infinity, EVALUATIONS_KEPT_DAYS ?? Infinity);
  return days === Infinity ? null : days;
}

/**
 * Removes rule results of evaluations older than the given number of days, with their samples, except those of a
 * contract's latest evaluation. null removes none. Returns how many were removed.
 */
export async function removeOldResults(days = resultsKeptDays()): Promise<number> {
  if (days === null) return 0;
  return walk(async (after) => {
    const [found] = await db.execute<Batch>(sql`
      with ${seen(true, days, after)},
      chosen as materialized (
        select id from evaluations old
        where id = any(array(select id from seen)) and ${hasNewer(1)}
        for update skip locked
      ),
      gone as (
        delete from rule_results result using (
          select evaluation_id, rule_id from rule_results
          where evaluation_id = any(array(select id from chosen))
          for update skip locked) old
        where result.evaluation_id = old.evaluation_id and result.rule_id = old.rule_id
        returning 1
      ),
      told as (
        update evaluations set are_results_kept = false where id = any(array(select id from chosen))
      )
      select ${endOfSeen}, (select count(*)::int from gone) as removed`);
    return found;
  });
}

/**
 * The entries of a rule's series that its current state depends on: its latest pass, its latest failure, and the start
 * of the current streak.
 */
const holdsAState = sql`
  exists (
    select from rule_scores score
    join rules rule on rule.contract_id = score.contract_id and rule.key = score.key
    cross join lateral (
      select
        exists (select from rule_scores s where s.contract_id = score.contract_id and s.key = score.key
          and s.passed = score.passed
          and (s.evaluated_at, s.evaluation_id) > (score.evaluated_at, score.evaluation_id)) as is_repeated,
        exists (select from rule_scores s where s.contract_id = score.contract_id and s.key = score.key
          and s.passed = not score.passed
          and (s.evaluated_at, s.evaluation_id) > (score.evaluated_at, score.evaluation_id)) as is_over,
        (select max(s.evaluated_at) from rule_scores s
          where s.contract_id = score.contract_id and s.key = score.key and s.passed = not score.passed
            and (s.evaluated_at, s.evaluation_id) < (score.evaluated_at, score.evaluation_id)) as other_at,
        (select max(s.evaluated_at) from rule_scores s
          where s.contract_id = score.contract_id and s.key = score.key and s.passed = score.passed
            and (s.evaluated_at, s.evaluation_id) < (score.evaluated_at, score.evaluation_id)) as same_at
    ) around
    where score.evaluation_id = old.id
      and (not is_repeated or (not is_over and (same_at is null or same_at <= other_at)))
  )`;

/** Removes evaluations older than the given number of days whose rule results are gone, with their rules' scores. */
export async function removeOldEvaluations(days = env().EVALUATIONS_KEPT_DAYS): Promise<number> {
  if (days === null) return 0;
  return walk(async (after) => {
    const [found] = await db.execute<Batch>(sql`
      with ${seen(false, days, after)},
      chosen as materialized (
        select id from evaluations old
        where id = any(array(select id from seen)) and ${hasNewer(shownScores)}
          and not exists (select from table_scores where evaluation_id = old.id)
          and not ${holdsAState}
        for update skip locked
      ),
      results as (delete from rule_results where evaluation_id = any(array(select id from chosen))),
      gone as (delete from evaluations where id = any(array(select id from chosen)) returning 1)
      select ${endOfSeen}, (select count(*)::int from gone) as removed`);
    return found;
  });
}

/** Removes samples of failing rows older than the given number of days. */
export async function removeOldSamples(days = env().SAMPLES_KEPT_DAYS): Promise<number> {
  return inBatches(async () => {
    const gone = await db.execute(sql`
      delete from rule_samples where ctid = any(array(
        select ctid from rule_samples
        where taken_at < now() - ${days} * interval '1 day'
        order by taken_at limit ${batchSize} for update skip locked))
      returning 1`);
    return { removed: gone.length, isLast: gone.length < batchSize };
  });
}
