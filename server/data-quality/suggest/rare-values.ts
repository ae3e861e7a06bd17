import type { ListedValue } from "../../profile/table-profile.ts";

/** At most this share of the rows, and of what each value would have if all were equally frequent. */
const most = { share: 0.02, ofEven: 0.2 };

/** Whether so few rows have a value that it may be a mistake. */
export function isRare({ rows }: ListedValue, all: readonly ListedValue[]): boolean {
  const total = all.reduce((sum, each) => sum + each.rows, 0);
  return rows <= total * most.share && rows <= (total / all.length) * most.ofEven;
}

/** A share in words: "1 %" would hide the difference between one row and many. */
export function shareOf(rows: number, all: number): string {
  const percent = (rows / all) * 100;
  return percent < 0.05 ? "under 0.1%" : `${percent.toFixed(1)}%`;
}
