import { filledRows, type ObservedColumn } from "../profile/observed-column.ts";
import type { Part } from "./segment.ts";

/** The rows of one column by how it orders them, to find where failing ones lie together. */
export type OrderedColumn = {
  name: string;
  /** How its values are written as bounds. */
  write(measure: number): string;
  /** The place of a row of all rows, and of one of the failing rows; NaN without a value. */
  ofAll(row: number): number;
  ofFailing(row: number): number;
};

/**
 * How a column tells when rows came: by its moments, or by the whole numbers of a key that counts up. null for other
 * columns.
 */
export function orderedColumn(all: ObservedColumn, failing: ObservedColumn): OrderedColumn | null {
  const isMoment = all.moments !== null;
  const isKey = all.isPrimaryKey && all.kind === "integer" && all.numbers !== null;
  if (!isMoment && !isKey) return null;
  const measureIn = (column: ObservedColumn) => {
    const measures = isMoment ? column.moments : column.numbers;
    return (row: number) => measures?.[column.rows[row] ?? -1] ?? Number.NaN;
  };
  if (filledRows(all) === 0) return null;
  const write = isMoment ? (at: number) => new Date(at).toISOString() : (at: number) => String(at);
  return { name: all.name, write, ofAll: measureIn(all), ofFailing: measureIn(failing) };
}

/**
 * The stretch of values that failing rows are in more often than others, by the greatest difference of both shares
 * (Kadane's algorithm over the values in order), and how many stretches there are. null if there are fewer than two
 * values. Only the given rows are looked at.
 */
export function densestRun(
  { name, write, ofAll, ofFailing }: OrderedColumn,
  { all, failing }: { all: Iterable<number>; failing: Iterable<number> },
): { part: Part; holds(measure: number): boolean; looks: number } | null {
  const counts = new Map<number, { all: number; failing: number }>();
  const total = { all: 0, failing: 0 };
  const count = (measure: number, which: "all" | "failing") => {
    if (Number.isNaN(measure)) return;
    const known = counts.get(measure) ?? { all: 0, failing: 0 };
    known[which]++;
    total[which]++;
    counts.set(measure, known);
  };
  for (const row of all) count(ofAll(row), "all");
  for (const row of failing) count(ofFailing(row), "failing");
  if (counts.size < 2 || total.failing === 0 || total.all === 0) return null;
  const measures = [...counts.keys()].sort((a, b) => a - b);
  let [best, run] = [
    { worth: 0, from: 0, to: 0 },
    { worth: 0, from: 0 },
  ];
  for (const [place, measure] of measures.entries()) {
    if (run.worth <= 0) run = { worth: 0, from: place };
    const { all: rows, failing: fails } = counts.get(measure) ?? { all: 0, failing: 0 };
    run.worth += fails / total.failing - rows / total.all;
    if (run.worth > best.worth) best = { ...run, to: place };
  }
  const [from, to] = [measures[best.from] ?? 0, measures[best.to] ?? 0];
  const part: Part = {
    ...{ column: name, is: "Between" },
    from: best.from === 0 ? null : write(from),
    to: best.to === measures.length - 1 ? null : write(to),
  };
  if (best.worth <= 0 || (part.from === null && part.to === null)) return null;
  const looks = (measures.length * (measures.length + 1)) / 2;
  return { part, holds: (measure) => measure >= from && measure <= to, looks };
}
