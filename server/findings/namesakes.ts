import { type Dependency, rowsByValue } from "./dependencies.ts";

/** A row is of another thing where it differs in this many columns and this share of what its group decides. */
const least = { columns: 3, share: 0.5 };

/**
 * Which rows of a group are of another thing that has the same name, as two people do: they differ from the others of their
 * group in much of what the name decides otherwise, and not in one value that slipped. `all` are the dependencies of one
 * table. Pure.
 */
export function namesakesOf({ by }: Dependency, all: readonly Dependency[]): (row: number) => boolean {
  const decided = all.filter((other) => other.by === by);
  if (decided.length < least.columns) return () => false;
  const members = rowsByValue(by);
  const differing = decided.map(({ column, broken }) => {
    const rows = new Set<number>();
    for (const { value, counts } of broken)
      for (const row of members[value] ?? []) if ((column.rows[row] ?? -1) !== counts[0]?.[0]) rows.add(row);
    return rows;
  });
  return (row) => {
    const differs = differing.filter((rows) => rows.has(row)).length;
    return differs >= least.columns && differs >= decided.length * least.share;
  };
}
