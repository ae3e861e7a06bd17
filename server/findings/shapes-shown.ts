import type { ObservedColumn } from "../profile/observed-column.ts";
import type { Evidence } from "./candidate.ts";
import { collapsed, exactShapeOf } from "./shape.ts";

/** So many shapes are shown of each side, no longer than this; the usual ones are those of most rows. */
const most = { usual: 5, doubted: 4, length: 60 };
const leastCovered = 0.6;

const levels = {
  exact: (shape: string) => shape,
  collapsed,
  mixed: (shape: string) => shape.replace(/[9Aa]/g, "x"),
};

type Shape = { shape: string; example: string; rows: number };

/**
 * The usual shapes of a column beside those of the doubted values; undefined where the column has too many to show, or
 * where the doubted values are written like the others. Pure.
 */
export function shapesBeside(
  { values, counts }: ObservedColumn,
  doubtedIndexes: readonly number[],
  level: keyof typeof levels,
): Evidence["shapes"] {
  const isDoubted = new Set(doubtedIndexes);
  const usual = new Map<string, Shape>();
  const doubted = new Map<string, Shape>();
  let filled = 0;
  for (const [index, value] of values.entries()) {
    const shape = levels[level](exactShapeOf(value.slice(0, most.length + 1)));
    const rows = counts[index] ?? 0;
    const group = isDoubted.has(index) ? doubted : usual;
    if (group === usual) filled += rows;
    const same = group.get(shape);
    if (same) same.rows += rows;
    else group.set(shape, { shape, example: value, rows });
  }
  const byRows = (shapes: Map<string, Shape>, count: number) =>
    [...shapes.values()].toSorted((a, b) => b.rows - a.rows).slice(0, count);
  const shown = byRows(usual, most.usual);
  const covered = shown.reduce((sum, { rows }) => sum + rows, 0);
  if (doubted.size === 0 || covered < filled * leastCovered) return undefined;
  if (shown.some(({ shape }) => doubted.has(shape))) return undefined;
  const told = (isInDoubt: boolean) => (each: Shape) => ({
    ...each,
    shape: each.shape.slice(0, most.length),
    example: each.example.slice(0, 2 * most.length),
    isInDoubt,
  });
  return [...shown.map(told(false)), ...byRows(doubted, most.doubted).map(told(true))];
}
