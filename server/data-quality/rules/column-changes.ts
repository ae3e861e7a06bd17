import type { TableColumn } from "./table-columns.ts";

/** How a table's columns differ from those that were approved. Pure; the browser loads this file too. */

export const changeKinds = ["Removed", "Type", "Nullability", "Added", "Order"] as const;
export type ColumnChangeKind = (typeof changeKinds)[number];

/** `position` counts from 1. */
type Placed = TableColumn & { position: number };
export type ColumnChange = {
  kind: ColumnChangeKind;
  name: string;
  /** null if it was added. */
  approved: Placed | null;
  /** null if it was removed. */
  present: Placed | null;
};

/**
 * All changes, by kind. Names are compared exactly, so a renamed column was removed and added. The order is that of the
 * columns on both sides: the fewest columns that must have moved to explain it are reported.
 */
export function columnChanges(
  approved: readonly TableColumn[],
  present: readonly TableColumn[],
): ColumnChange[] {
  const [before, after] = [placed(approved), placed(present)];
  const both = [...before.values()].flatMap((old) => {
    const now = after.get(old.name);
    return now ? { old, now } : [];
  });
  const of = (kind: ColumnChangeKind, pairs: typeof both): ColumnChange[] =>
    pairs.map(({ old, now }) => ({ kind, name: old.name, approved: old, present: now }));
  const moved = outOfOrder(both.map(({ now }) => now.position));
  const found: Record<ColumnChangeKind, ColumnChange[]> = {
    Removed: [...before.values()]
      .filter(({ name }) => !after.has(name))
      .map((old) => ({ kind: "Removed", name: old.name, approved: old, present: null })),
    Type: of(
      "Type",
      both.filter(({ old, now }) => old.type !== now.type),
    ),
    Nullability: of(
      "Nullability",
      both.filter(({ old, now }) => old.nullable !== now.nullable),
    ),
    Added: [...after.values()]
      .filter(({ name }) => !before.has(name))
      .map((now) => ({ kind: "Added", name: now.name, approved: null, present: now })),
    Order: of(
      "Order",
      both.filter((_, index) => moved.has(index)),
    ),
  };
  return changeKinds.flatMap((kind) => found[kind]);
}

const placed = (columns: readonly TableColumn[]): Map<string, Placed> =>
  new Map(columns.map((column, index) => [column.name, { ...column, position: index + 1 }]));

/** The indexes that are not part of the longest increasing sequence. */
function outOfOrder(positions: readonly number[]): Set<number> {
  /** By length − 1: the index where the sequence of this length with the smallest end ends. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  const at = (index: number | undefined) => (index === undefined ? 0 : (positions[index] ?? 0));
  for (const [index, position] of positions.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(ends[middle]) < position) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1];
    ends[low] = index;
  }
  const moved = new Set(positions.keys());
  for (let index = ends.at(-1); index !== undefined; index = before[index]) moved.delete(index);
  return moved;
}
