import { and, eq, gte, inArray, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import type { Point } from "../judge-series.ts";
import type { MeasureName } from "../measures.ts";
import type { Measured } from "../profile-sql.ts";
import { watchPoints, watchSeries } from "../tables.ts";

/** The stored numbers of tables over time. */

export type StoredSeries = {
  id: number;
  tableId: number;
  columnName: string | null;
  measure: MeasureName;
  /** Oldest first. */
  points: Point[];
};

/** Adds a point to each of these series; those that are new begin with it. */
export async function addPoints(
  measured: readonly (Measured & { tableId: number; at: Date })[],
  connection: Connection = db,
): Promise<void> {
  if (measured.length === 0) return;
  const rows = JSON.stringify(
    measured.map(({ tableId, columnName, measure, at, value }) => {
      const month = monthOf(at);
      const second = Math.round((at.getTime() - Date.parse(month)) / 1000);
      return { tableId, columnName, measure, month, second, value };
    }),
  );
  const given = sql`jsonb_to_recordset(${rows}::jsonb)
    as given ("tableId" int, "columnName" text, measure watch_measure, month date, second int, value double precision)`;
  await connection.execute(sql`
    insert into ${watchSeries} (table_id, column_name, measure)
    select distinct "tableId", "columnName", measure from ${given}
    on conflict do nothing`);
  await connection.execute(sql`
    insert into ${watchPoints} (series_id, month, times, values)
    select series.id, given.month, array_agg(given.second order by given.second), array_agg(given.value order by given.second)
    from ${given}
    join ${watchSeries} as series on series.table_id = given."tableId" and series.measure = given.measure
      and series.column_name is not distinct from given."columnName"
    group by series.id, given.month
    on conflict (series_id, month) do update
    set times = ${watchPoints.times} || excluded.times, values = ${watchPoints.values} || excluded.values`);
}

const monthOf = (at: Date) => `${at.toISOString().slice(0, 7)}-01`;

/** The series of tables, all or only some measures, with their points since a time. */
export async function readSeries(
  tableIds: readonly number[],
  since: Date,
  only?: readonly MeasureName[],
): Promise<StoredSeries[]> {
  if (tableIds.length === 0) return [];
  const rows = await db
    .select({
      id: watchSeries.id,
      tableId: watchSeries.tableId,
      columnName: watchSeries.columnName,
      measure: watchSeries.measure,
      month: watchPoints.month,
      times: watchPoints.times,
      values: watchPoints.values,
    })
    .from(watchSeries)
    .innerJoin(watchPoints, eq(watchPoints.seriesId, watchSeries.id))
    .where(
      and(
        inArray(watchSeries.tableId, [...tableIds]),
        only && inArray(watchSeries.measure, [...only]),
        gte(watchPoints.month, monthOf(since)),
      ),
    )
    .orderBy(watchSeries.id, watchPoints.month);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((months) => {
    const [first] = months;
    if (!first) return [];
    const { id, tableId, columnName, measure } = first;
    const points = months.flatMap(({ month, times, values }) =>
      times.map((second, place) => ({
        at: new Date(Date.parse(month) + 1000 * second),
        value: values[place] ?? Number.NaN,
      })),
    );
    return [{ id, tableId, columnName, measure, points: points.filter(({ at }) => at >= since) }];
  });
}
