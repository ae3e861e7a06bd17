import type { ColumnKind } from "../data-sources/dialects/dialect.ts";
import { momentOf, numberOf } from "./plain-values.ts";

/** What is known of a column before reading any rows. */
export type ColumnFacts = {
  name: string;
  /** As the database reports it. */
  type: string;
  kind: ColumnKind;
  isNullable: boolean;
  isPrimaryKey: boolean;
  /** The foreign key declared in the database. */
  references?: { schemaName: string; tableName: string; columnName: string } | undefined;
};

/** A column with the rows that were read. Each distinct value is stored once, so that work is done per value. */
export type ObservedColumn = ColumnFacts & {
  /** The distinct values as exact text, in the order in which they were first read. */
  values: readonly string[];
  /** The number of rows with each of `values`. */
  counts: Int32Array;
  /** For each row, the index of its value in `values`; -1 for NULL. */
  rows: Int32Array;
  nulls: number;
  /**
   * Each of `values` as a number, NaN if it is not one. For numeric columns, and for texts that are nearly all plain
   * numbers; null for other columns.
   */
  numbers: Float64Array | null;
  /**
   * Each of `values` in milliseconds since 1970 (UTC), NaN if it is not a moment. Like `numbers`, for dates and times.
   */
  moments: Float64Array | null;
};

/** The share of a column's texts that must be plain numbers, or dates, for it to be read as such. */
const mostly = 0.9;

/** Takes the value of one row after another, in the order in which they are read. */
export class ColumnReader {
  private readonly facts: ColumnFacts;
  private readonly indexes = new Map<string, number>();
  private readonly counts: number[] = [];
  private readonly rows: number[] = [];
  private nulls = 0;

  constructor(facts: ColumnFacts) {
    this.facts = facts;
  }

  add(cell: string | number | boolean | null): void {
    if (cell === null) {
      this.nulls++;
      this.rows.push(-1);
      return;
    }
    const text = String(cell);
    let index = this.indexes.get(text);
    if (index === undefined) {
      index = this.counts.length;
      this.indexes.set(text, index);
      this.counts.push(0);
    }
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.rows.push(index);
  }

  /** The column as read. */
  end(): ObservedColumn {
    const values = [...this.indexes.keys()];
    const counts = Int32Array.from(this.counts);
    const { kind } = this.facts;
    return {
      ...this.facts,
      values,
      counts,
      rows: Int32Array.from(this.rows),
      nulls: this.nulls,
      numbers: readAs(kind, ["integer", "decimal", "float"], values, counts, numberOf),
      moments: readAs(kind, ["date", "time"], values, counts, momentOf),
    };
  }
}

/** null unless the column is of one of these kinds, or text that can nearly always be parsed as one. */
function readAs(
  kind: ColumnKind,
  kinds: readonly ColumnKind[],
  values: readonly string[],
  counts: Int32Array,
  read: (text: string) => number,
): Float64Array | null {
  const isOfKind = kinds.includes(kind);
  if ((!isOfKind && kind !== "text") || values.length === 0) return null;
  const result = Float64Array.from(values, read);
  if (isOfKind) return result;
  // `007` is a code: as a number it would be another value.
  if (kinds.includes("integer") && values.some((value) => /^[+-]?0\d/.test(value))) return null;
  let [readable, all] = [0, 0];
  for (const [index, number] of result.entries()) {
    const count = counts[index] ?? 0;
    all += count;
    if (!Number.isNaN(number)) readable += count;
  }
  return readable >= all * mostly ? result : null;
}

/** The number of rows with a value. */
export const filledRows = (column: ObservedColumn): number => column.rows.length - column.nulls;

/** The value of one row; null for NULL. */
export function valueAt(column: ObservedColumn, row: number): string | null {
  const index = column.rows[row] ?? -1;
  return index < 0 ? null : (column.values[index] ?? null);
}

/** The rows with one of these values, given by their indexes in `values`, in order. */
export function rowsWith(column: ObservedColumn, indexes: Iterable<number>): Int32Array {
  const wanted = new Uint8Array(column.values.length);
  for (const index of indexes) wanted[index] = 1;
  const found: number[] = [];
  for (const [row, index] of column.rows.entries()) if (index >= 0 && wanted[index] === 1) found.push(row);
  return Int32Array.from(found);
}

/** The rows without a value, in order. */
export function rowsWithout(column: ObservedColumn): Int32Array {
  const found: number[] = [];
  for (const [row, index] of column.rows.entries()) if (index < 0) found.push(row);
  return Int32Array.from(found);
}
