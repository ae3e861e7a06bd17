import type { Cell } from "../../data-sources/engines/engine.ts";
import { ageOf, type ColumnProfile, type ProfileTarget } from "./profile.ts";

/**
 * When rows have come lately, by the hours of a column of dates or times: what is fresh for a table is a matter of
 * its rhythm, which one look at the newest row does not tell. Nights and weekends without rows are part of it.
 */
export type Arrivals = {
  /** How many hours of the window have rows. */
  hours: number;
  /** The longest time from one such hour to the next, in hours; null with fewer than two. */
  longestGapHours: number | null;
  /** The fewest rows of an hour that has some, but for the first and the last, which are not whole; null likewise. */
  fewestRows: number | null;
  /** From the first such hour to the last. */
  spanHours: number;
  /** How long ago the newest row is that is not in the future, in whole hours. */
  latestHoursAgo: number;
};

export const arrivalDays = 35;

/** So many columns of a table are looked at. */
const mostColumns = 3;

/** Those that rows could have come by within the window; those with a newest value in the future may be. */
export function arrivalColumns(columns: readonly ColumnProfile[]): ColumnProfile[] {
  const maySay = ({ sort, newest, ageSeconds }: ColumnProfile) =>
    (sort === "date" || sort === "time") &&
    newest !== null &&
    ageSeconds !== null &&
    ageSeconds < arrivalDays * 86_400;
  return columns.filter(maySay).slice(0, mostColumns);
}

/** One row for each hour with rows: how many hours ago, and how many. */
export function arrivalSql({ engine, schemaName, tableName }: ProfileTarget, columnName: string): string {
  const column = engine.quote(columnName);
  const table = `${engine.quote(schemaName)}.${engine.quote(tableName)}`;
  const age = ageOf(column, engine.dialect);
  switch (engine.dialect) {
    case "postgresql":
      return `select hours_ago, count(*) from (
  select floor(${age} / 3600)::bigint as hours_ago from ${table}
  where ${column} > now() - interval '${arrivalDays} days' and ${column} <= now()
) as arrived group by hours_ago order by hours_ago`;
    case "mysql":
      return `select hours_ago, count(*) from (
  select floor(${age} / 3600) as hours_ago from ${table}
  where ${column} > utc_timestamp() - interval ${arrivalDays} day and ${column} <= utc_timestamp()
) as arrived group by hours_ago order by hours_ago`;
    case "sqlserver":
      return `select hours_ago, count_big(*) from (
  select ${age} / 3600 as hours_ago from ${table}
  where ${column} > dateadd(day, -${arrivalDays}, sysutcdatetime()) and ${column} <= sysutcdatetime()
) as arrived group by hours_ago order by hours_ago`;
  }
}

export const arrivalLimits = { maxRows: arrivalDays * 24 + 2, maxBytes: 256 * 1024 };

/** null where no row has come within the window. */
export function arrivalsOf(rows: readonly (readonly Cell[])[]): Arrivals | null {
  const hours = rows.map(([ago, count]) => ({ ago: Number(ago), count: Number(count) }));
  const [latest] = hours;
  if (!latest) return null;
  const gaps = hours.slice(1).map(({ ago }, index) => ago - (hours[index]?.ago ?? 0));
  const whole = hours.slice(1, -1).map(({ count }) => count);
  return {
    hours: hours.length,
    longestGapHours: gaps.length === 0 ? null : Math.max(...gaps),
    fewestRows: whole.length === 0 ? null : Math.min(...whole),
    spanHours: (hours.at(-1)?.ago ?? latest.ago) - latest.ago,
    latestHoursAgo: latest.ago,
  };
}
