import type { Reason } from "./reason.ts";

/** The cells of a column that the same reasons doubt: what is believed of one is believed of all. */
export type CellGroup = {
  column: string;
  /** By their places in the list of reasons. */
  reasons: readonly number[];
  /** In order. */
  rows: readonly number[];
};

/** All cells that anything doubts, and the group of a cell by its place, -1 for one that nothing doubts. Pure. */
export function cellGroups(
  rowCount: number,
  reasons: readonly Reason[],
): { groups: CellGroup[]; groupAt: (column: string, row: number) => number } {
  const groups: CellGroup[] = [];
  const places = new Map<string, Int32Array>();
  const byColumn = Map.groupBy(reasons.keys(), (place) => reasons[place]?.column ?? "");
  for (const [column, own] of byColumn) {
    const { at, sets } = divided(rowCount, own, reasons);
    const rows: number[][] = sets.map(() => []);
    for (const [row, set] of at.entries()) if (set > 0) rows[set]?.push(row);
    const place = new Map<number, number>();
    for (const [set, doubting] of sets.entries()) {
      const members = rows[set] ?? [];
      if (members.length === 0) continue;
      place.set(set, groups.length);
      groups.push({ column, reasons: doubting, rows: members });
    }
    places.set(
      column,
      at.map((set) => place.get(set) ?? -1),
    );
  }
  return { groups, groupAt: (column, row) => places.get(column)?.[row] ?? -1 };
}

/** For each row the set of reasons that it is in, by its place among all such sets; the first is the empty one. */
function divided(rowCount: number, own: readonly number[], reasons: readonly Reason[]) {
  const at = new Int32Array(rowCount);
  const sets: number[][] = [[]];
  for (const reason of own) {
    const grown = new Map<number, number>();
    for (const row of reasons[reason]?.rows ?? []) {
      const before = at[row] ?? 0;
      const known = grown.get(before) ?? sets.length;
      if (known === sets.length) {
        sets.push([...(sets[before] ?? []), reason]);
        grown.set(before, known);
      }
      at[row] = known;
    }
  }
  return { at, sets };
}
