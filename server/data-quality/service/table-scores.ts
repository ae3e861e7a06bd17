import { and, asc, desc, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { groupDb, type Transaction } from "../../db/client.ts";
import { compiledStatement } from "../../db/compiled.ts";
import { inOneGo, sideBySide } from "../../db/in-one-go.ts";
import { lockKeys } from "../../db/lock-keys.ts";
import { evaluations, tableScores } from "../evaluations/tables.ts";
import { shownScores } from "../limits.ts";
import type { MeasuredScore } from "../measured-score.ts";
import { contracts } from "../tables.ts";
import { stableWithin } from "../trend.ts";

export type WatchedTable = { dataSourceId: number; schemaName: string; tableName: string };

/** Updates one table's latest score, as `refreshTableScores` does those of several. */
export const refreshTableScore = (tx: Transaction, table: WatchedTable): Promise<void> =>
  refreshTableScores(tx, [table]);

/**
 * Updates the latest scores of tables: of each the latest evaluation by any contract of the table that is not archived, the
 * trend since the previous one, recent scores, and the last measured one. Without an evaluation, a table has no score. One
 * statement under locks, for those whose data source could be reached.
 */
export async function refreshTableScores(tx: Transaction, tables: readonly WatchedTable[]): Promise<void> {
  const keyed = new Map(tables.map((table) => [lockKey(table), table]));
  if (keyed.size === 0) return;
  // One update per table at a time, each seeing what the previous one stored.
  const [, others] = await inOneGo(lockKeys(tx, [...keyed.keys()]), {
    execute: () => writeScores({ tables: JSON.stringify([...keyed.values()].map(tableRow)) }),
  });
  await sideBySide(
    ...others.map(async ({ id, reason, ...table }) => {
      if (id === null) await tx.delete(tableScores).where(isOf(tableScores, table));
      else
        await tx
          .update(tableScores)
          .set({ measured: await findMeasured(tx, table, reason) })
          .where(isOf(tableScores, table));
    }),
  );
}

const tableRow = ({ dataSourceId, schemaName, tableName }: WatchedTable) => ({
  ...{ data_source_id: dataSourceId, schema_name: schemaName, table_name: tableName },
});

/** A table's history has one for each evaluation: of rows with the time, the score, and why nothing could be measured. */
export const historyEntry = sql.raw(`jsonb_build_object(
  'evaluatedAt', to_char(evaluated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'score', score, 'couldNotEvaluate', reason is not null)`);

/** Returns the tables whose latest evaluations do not say all: an outage is among the last two, or there are none. */
const writeScores = compiledStatement<LatestScore & WatchedTable, { tables: string }>(
  groupDb,
  () => sql`
    with watched as materialized (
      select * from json_to_recordset(${sql.placeholder("tables")}::json) as watched (
        data_source_id integer, schema_name text, table_name text)
    ),
    score as (
      select watched.*, recent.*
      from watched cross join lateral (
        select (array_agg(id order by place))[1] as id, (array_agg(score order by place))[1] as current,
          (array_agg(score order by place))[2] as previous,
          (array_agg(evaluated_at order by place))[1] as evaluated_at,
          (array_agg(reason order by place))[1] as reason,
          coalesce(bool_or(reason is not null) filter (where place <= 2), false) as is_out,
          jsonb_agg(${historyEntry} order by place desc) as history
        from (
          select e.id, e.overall_score as score, e.evaluated_at, e.not_evaluated_because as reason,
            row_number() over (order by e.evaluated_at desc, e.id desc) as place
          from ${evaluations} as e join ${contracts} as c on c.id = e.contract_id
          where e.data_source_id = watched.data_source_id
            and e.schema_name = watched.schema_name and e.table_name = watched.table_name
            and e.status = 'Completed' and c.archived_at is null and c.data_source_id = e.data_source_id
            and c.schema_name = e.schema_name and c.table_name = e.table_name
          order by e.evaluated_at desc, e.id desc limit ${shownScores}) as latest
      ) as recent
    ),
    stored as (
      insert into ${tableScores} as t (data_source_id, schema_name, table_name, current_score, previous_score, trend,
        evaluation_id, evaluated_at, history)
      select data_source_id, schema_name, table_name, current, previous, ${trendSince(sql`current`, sql`previous`)}, id,
        evaluated_at, history
      from score where id is not null
      on conflict (data_source_id, schema_name, table_name) do update set
        current_score = excluded.current_score, previous_score = excluded.previous_score, trend = excluded.trend,
        evaluation_id = excluded.evaluation_id, evaluated_at = excluded.evaluated_at, history = excluded.history,
        measured = null
    )
    select id, reason, data_source_id as "dataSourceId", schema_name as "schemaName", table_name as "tableName"
    from score where is_out or id is null`,
);

/** Of a table's latest evaluation; null if it has none. */
type LatestScore = { id: number | null; reason: string | null };

/** The same as trend.ts says. */
export const trendSince = (current: SQL, previous: SQL): SQL => sql`(case
  when ${current} - ${previous} > ${sql.raw(`${stableWithin}`)} then 'Improving'
  when ${current} - ${previous} < ${sql.raw(`${-stableWithin}`)} then 'Degrading' else 'Stable'
end)::trend`;

/** The last measured score of a table, however old, and since when the given reason prevents measuring it. */
async function findMeasured(
  tx: Transaction,
  table: WatchedTable,
  reason: string | null,
): Promise<MeasuredScore> {
  const ofContract = tx
    .select({ id: evaluations.id, score: evaluations.overallScore, evaluatedAt: evaluations.evaluatedAt })
    .from(evaluations)
    .where(
      and(
        eq(evaluations.contractId, contracts.id),
        isOf(evaluations, table),
        isNull(evaluations.notEvaluatedBecause),
        isNotNull(evaluations.evaluatedAt),
      ),
    )
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(2)
    .as("of_contract");
  const [latest, previous] = await tx
    .select({ score: ofContract.score, evaluatedAt: ofContract.evaluatedAt })
    .from(contracts)
    .innerJoinLateral(ofContract, sql`true`)
    .where(isWatchedBy(table))
    .orderBy(desc(ofContract.evaluatedAt), desc(ofContract.id))
    .limit(2);
  const measured =
    latest && latest.score !== null && latest.evaluatedAt !== null
      ? { score: latest.score, previousScore: previous?.score ?? null, evaluatedAt: latest.evaluatedAt }
      : null;
  if (reason === null) return { latest: stored(measured), outage: null };
  const [first] = await tx
    .select({ since: evaluations.evaluatedAt })
    .from(evaluations)
    .innerJoin(contracts, eq(contracts.id, evaluations.contractId))
    .where(
      and(
        isOf(evaluations, table),
        isWatchedBy(table),
        isNotNull(evaluations.evaluatedAt),
        measured ? gt(evaluations.evaluatedAt, measured.evaluatedAt) : undefined,
      ),
    )
    .orderBy(asc(evaluations.evaluatedAt))
    .limit(1);
  const since = first?.since?.toISOString();
  return { latest: stored(measured), outage: since ? { since, reason } : null };
}

function stored<Measured extends { evaluatedAt: Date }>(measured: Measured | null) {
  return measured && { ...measured, evaluatedAt: measured.evaluatedAt.toISOString() };
}

const isOf = (
  { dataSourceId, schemaName, tableName }: typeof evaluations | typeof tableScores | typeof contracts,
  table: WatchedTable,
) =>
  and(eq(dataSourceId, table.dataSourceId), eq(schemaName, table.schemaName), eq(tableName, table.tableName));

/** A contract that was moved to another table no longer counts for this one. */
const isWatchedBy = (table: WatchedTable) => and(isOf(contracts, table), isNull(contracts.archivedAt));

/** What is locked while a table's score is updated. */
export function lockKey({ dataSourceId, schemaName, tableName }: WatchedTable): string {
  return JSON.stringify(["table score", dataSourceId, schemaName, tableName]);
}
