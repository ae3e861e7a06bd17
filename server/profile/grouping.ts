import type { ObservedColumn } from "./observed-column.ts";

/** The rows of a table, grouped: the group of each row, -1 if it is in none. */
export type Grouping = { groups: Int32Array; count: number };

/** Rows with the same values in all of these columns form a group; those with a NULL are in none. */
export function groupBy(columns: readonly ObservedColumn[]): Grouping {
  const [first, ...others] = columns;
  if (!first) return { groups: new Int32Array(0), count: 0 };
  return others.reduce<Grouping>(within, { groups: first.rows, count: first.values.length });
}

/** The same, with NULL as a value like any other. */
export const groupWithNulls = (columns: readonly ObservedColumn[]): Grouping =>
  groupBy(columns.map(nullsAsValues));

/** NULL as one more value. */
export function nullsAsValues(column: ObservedColumn): ObservedColumn {
  const missing = column.values.length;
  return {
    ...column,
    values: [...column.values, ""],
    rows: column.rows.map((index) => (index < 0 ? missing : index)),
  };
}

/** Splits the groups further by one more column. */
export function within({ groups }: Grouping, column: ObservedColumn): Grouping {
  const known = new Map<number, number>();
  const width = column.values.length;
  const divided = groups.map((group, row) => {
    const value = column.rows[row] ?? -1;
    if (group < 0 || value < 0) return -1;
    const pair = group * width + value;
    const found = known.get(pair);
    if (found !== undefined) return found;
    known.set(pair, known.size);
    return known.size - 1;
  });
  return { groups: divided, count: known.size };
}

/** The number of rows in each group. */
export function sizesOf({ groups, count }: Grouping): Int32Array {
  const sizes = new Int32Array(count);
  for (const group of groups) if (group >= 0) sizes[group] = (sizes[group] ?? 0) + 1;
  return sizes;
}
