import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";

/** How the rest of a row speaks for one value of a column instead of another. */
export type Support = "agrees" | "contradicts" | "silent";

/** A column tells of a value when so many of its rows have one thing in common that few other rows have. */
const tells = { within: 0.8, elsewhere: 0.3, rows: 4 };

/**
 * Whether rows look, in their other columns, like the rows that have `instead`: in what nearly all of those have in
 * common and most others have not. A rare spelling does; another thing with a similar name does not. Pure.
 */
export class RowSupport {
  private readonly table: ObservedTable;
  private readonly column: ObservedColumn;
  /** For each value that was asked for: what its rows have in common, by column. */
  private readonly marks = new Map<number, Map<ObservedColumn, number>>();
  private readonly rowsByValue: readonly number[][];

  constructor(table: ObservedTable, column: ObservedColumn) {
    this.table = table;
    this.column = column;
    const rows: number[][] = column.values.map(() => []);
    for (const [row, index] of column.rows.entries()) if (index >= 0) rows[index]?.push(row);
    this.rowsByValue = rows;
  }

  of(value: number, instead: number): Support {
    const marks = this.marksOf(instead);
    if (marks.size === 0) return "silent";
    let [agree, differ] = [0, 0];
    for (const row of this.rowsByValue[value] ?? [])
      for (const [column, mark] of marks) {
        if ((column.rows[row] ?? -1) === mark) agree++;
        else differ++;
      }
    return agree > differ ? "agrees" : "contradicts";
  }

  private marksOf(value: number): Map<ObservedColumn, number> {
    const known = this.marks.get(value);
    if (known) return known;
    const rows = this.rowsByValue[value] ?? [];
    const found = new Map<ObservedColumn, number>();
    for (const other of rows.length < tells.rows ? [] : this.table.columns) {
      if (other === this.column || other.values.length < 2) continue;
      const counts = new Map<number, number>();
      for (const row of rows) {
        const index = other.rows[row] ?? -1;
        counts.set(index, (counts.get(index) ?? 0) + 1);
      }
      const [mark = -1, most = 0] = [...counts].reduce(
        (best, each) => (each[1] > best[1] ? each : best),
        [-1, 0],
      );
      const elsewhere = ((other.counts[mark] ?? 0) - most) / Math.max(1, this.table.rowCount - rows.length);
      if (mark >= 0 && most >= rows.length * tells.within && elsewhere <= tells.elsewhere)
        found.set(other, mark);
    }
    this.marks.set(value, found);
    return found;
  }
}
