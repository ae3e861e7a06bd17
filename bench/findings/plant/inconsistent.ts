import { type CleanColumn, chosen, type Planter } from "./place.ts";

/** Another value beside one that always has the same. */
export const plantInconsistent: Planter = (table) => {
  const free = table.cells.filter(({ isDeclared, observed }) => !isDeclared && observed.values.length >= 3);
  const telling = free.filter(
    ({ kind, observed }) =>
      ["text", "integer", "uuid"].includes(kind) &&
      observed.values.length >= 5 &&
      observed.values.length * 3 <= observed.rows.length,
  );
  return telling.flatMap((left) =>
    free
      .filter(
        (right) =>
          right !== left &&
          ["text", "integer"].includes(right.kind) &&
          right.observed.values.length <= left.observed.values.length * 1.2 &&
          tells(left, right),
      )
      .map((right) => ({
        columns: [left.name, right.name],
        how: `${left.name} with another ${right.name}`,
        apply: (rows, random) => {
          // In groups of four or more, so that there is a majority, and once in each.
          const sizes = new Map<string, number>();
          for (const row of rows)
            sizes.set(row[left.index] ?? "", (sizes.get(row[left.index] ?? "") ?? 0) + 1);
          const seen = new Set<string>();
          const able = chosen(
            rows.filter(
              (row) =>
                row[left.index] !== null &&
                row[right.index] !== null &&
                (sizes.get(row[left.index] ?? "") ?? 0) >= 4,
            ),
            random,
            rows.length,
          ).filter((row) => {
            const group = row[left.index] ?? "";
            return !seen.has(group) && seen.add(group);
          });
          return able.filter((row) => {
            const other = random.pick(right.observed.values);
            if (other === row[right.index]) return false;
            row[right.index] = other;
            return true;
          });
        },
      })),
  );
};

/** Whether the left value always has the same right one, and that far more often than chance would have it. */
function tells(left: CleanColumn, right: CleanColumn): boolean {
  const first = new Int32Array(left.observed.values.length).fill(-2);
  const sizes = new Int32Array(first.length);
  for (const [row, group] of left.observed.rows.entries()) {
    if (group < 0) continue;
    const value = right.observed.rows[row] ?? -1;
    if (first[group] === -2) first[group] = value;
    else if (first[group] !== value) return false;
    sizes[group] = (sizes[group] ?? 0) + 1;
  }
  const most = Math.max(...right.observed.counts) / right.observed.rows.length;
  const repeats = sizes.reduce((sum, size) => sum + Math.max(0, size - 1), 0);
  return repeats * (1 - most) >= 30;
}
