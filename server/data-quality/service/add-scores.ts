import { type SQL, sql } from "drizzle-orm";
import { failureCode } from "../../errors.ts";
import { tableScores } from "../evaluations/tables.ts";
import { shownScores } from "../limits.ts";
import { historyEntry, trendSince } from "./table-scores.ts";

/**
 * Adds new scores to what is stored of their tables, as parts of the statement that completes their evaluations. The
 * result is that of table-scores.ts, which reads a table's latest evaluations again and takes several times as long.
 *
 * Only for evaluations that measured something, of tables that the statement has locked, that `takeScores`, and that
 * their contracts still watch.
 */

/** Of a row of table_scores: whether the table's latest evaluation measured something. */
const isMeasured = (row: string): SQL =>
  sql.raw(`coalesce(${row}.history #>> '{-1,couldNotEvaluate}' = 'false', false)`);

/** Whether the table of a row takes scores: its latest evaluation measured something, or it has none. */
export const takesScores = (watched: string): SQL => {
  const table = sql.identifier(watched);
  return sql`coalesce((
    select ${isMeasured("t")} from ${tableScores} as t
    where t.data_source_id = ${table}.data_source_id and t.schema_name = ${table}.schema_name
      and t.table_name = ${table}.table_name), true)`;
};

/**
 * The parts, after one named `done` with the columns id, data_source_id, schema_name, table_name, evaluated_at, and
 * overall_score.
 */
export const addScores: SQL = sql`
  latest as (
    select data_source_id, schema_name, table_name,
      (array_agg(id order by evaluated_at desc, id desc))[1] as id,
      (array_agg(score order by evaluated_at desc, id desc))[1] as current,
      (array_agg(score order by evaluated_at desc, id desc))[2] as previous,
      max(evaluated_at) as evaluated_at,
      jsonb_agg(${historyEntry} order by evaluated_at, id) as history
    from (select *, overall_score as score, null as reason from done) as done
    group by data_source_id, schema_name, table_name
  ),
  added as (
    insert into ${tableScores} as t (data_source_id, schema_name, table_name, current_score, previous_score, trend,
      evaluation_id, evaluated_at, history)
    select data_source_id, schema_name, table_name, current, previous, ${trendSince(sql`current`, sql`previous`)}, id,
      evaluated_at, ${shown(sql`history`)}
    from latest
    on conflict (data_source_id, schema_name, table_name) do update set
      current_score = excluded.current_score,
      previous_score = coalesce(excluded.previous_score, t.current_score),
      trend = ${trendSince(sql`excluded.current_score`, sql`coalesce(excluded.previous_score, t.current_score)`)},
      evaluation_id = excluded.evaluation_id, evaluated_at = excluded.evaluated_at,
      history = ${shown(sql`t.history || excluded.history`)}, measured = null
    where ${isMeasured("t")}
      and (t.evaluated_at, t.evaluation_id) < (excluded.evaluated_at, excluded.evaluation_id)
    returning table_name
  )`;

/**
 * True, or the statement fails by dividing by zero. It sees the scores of tables as they were when it began, but changes
 * them as they are once it has locked the tables, and may find then that they take no scores.
 */
export const wereAllAdded: SQL = sql.raw(
  "1 / ((select count(*) from added) = (select count(*) from latest))::integer = 1",
);

/** Whether a statement failed by that. */
export const wereNotAllAdded = (error: unknown): boolean => failureCode(error) === divisionByZero;

const divisionByZero = "22012";

function shown(history: SQL): SQL {
  return sql`jsonb_path_query_array(${history}, ${sql.raw(`'$[last - ${shownScores - 1} to last]'`)})`;
}
