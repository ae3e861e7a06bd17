import { relationIn } from "../data-sources/dialects/clauses.ts";
import type { Dialect } from "../data-sources/dialects/dialect.ts";
import type { Cell } from "../data-sources/engines/engine.ts";
import type { Arrivals, ColumnProfile } from "./table-profile.ts";

export const arrivalDays = 35;

/** The maximum number of columns checked per table. */
const maxColumns = 3;

/** The columns that may show when rows arrived within the window, including those with a newest value in the future. */
export function arrivalColumns(columns: readonly ColumnProfile[]): ColumnProfile[] {
  const maySay = ({ kind, newest, ageSeconds }: ColumnProfile) =>
    (kind === "date" || kind === "time") &&
    newest !== null &&
    ageSeconds !== null &&
    ageSeconds < arrivalDays * 86_400;
  return columns.filter(maySay).slice(0, maxColumns);
}

/** One row for each hour with rows: how many hours ago, and how many rows. */
export function arrivalSql(
  dialect: Dialect,
  { schemaName, tableName }: { schemaName: string; tableName: string },
  columnName: string,
): string {
  const column = dialect.quote(columnName);
  const moment = dialect.moment(column);
  return `select hours_ago, ${dialect.count()} from (
  select floor(${dialect.ageInSeconds(column)} / 3600) as hours_ago from ${relationIn(dialect, schemaName, tableName)}
  where ${moment} > ${dialect.ago(arrivalDays, "days")} and ${moment} <= ${dialect.now}
) as arrived group by hours_ago order by hours_ago`;
}

export const arrivalLimits = { maxRows: arrivalDays * 24 + 2, maxBytes: 256 * 1024 };

/** null if no rows arrived within the window. */
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
