import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";

const dayMs = 86_400_000;
/** So many rows have both, and so much of them must agree. */
const least = { rows: 20, share: 0.98 };

/**
 * Whether a column counts the days or weeks of the year of a date in the same row, as calendars do: what belongs to such a
 * number shifts by one from year to year. Pure.
 */
export function isPlaceInYear(column: ObservedColumn, { columns }: ObservedTable): boolean {
  const { numbers } = column;
  if (!numbers?.every((number) => Number.isInteger(number) && number >= 0 && number <= 366)) return false;
  const days = Math.max(...numbers) > 54;
  return columns.some((other) => other.moments !== null && agrees(column, other, days ? 1 : 7));
}

/** How many days, counted from 1 January, are before the place: a week may begin up to six days before or after. */
function agrees(column: ObservedColumn, date: ObservedColumn, length: 1 | 7): boolean {
  let [both, alike] = [0, 0];
  for (const [row, index] of column.rows.entries()) {
    const [place, moment] = [column.numbers?.[index] ?? Number.NaN, date.moments?.[date.rows[row] ?? -1]];
    if (moment === undefined || Number.isNaN(moment) || Number.isNaN(place)) continue;
    both++;
    const day = Math.floor((moment - Date.UTC(new Date(moment).getUTCFullYear(), 0)) / dayMs);
    const isNear =
      length === 1 ? Math.abs(day + 1 - place) <= 1 : Math.abs(Math.floor(day / 7) + 1 - place) <= 1;
    // The first days of January may belong to the last week of the year before, and the other way round.
    if (isNear || (length === 7 && (day < 7 || day > 357) && (place >= 52 || place <= 1))) alike++;
  }
  return both >= least.rows && alike >= both * least.share;
}
