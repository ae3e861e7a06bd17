import type { Term } from "../condition.ts";
import type { Measured } from "../measured.ts";

/** Some rows tell; and sums of more columns than this are not what people keep in a table. */
const limits = { rows: 1000, terms: [3, 9] as const, rounds: 12 };

/**
 * Which columns a total is the sum of, some of them taken away: least squares that heed rows less the further they
 * are off, so that a few wrong rows do not matter (iteratively reweighted, as for least absolute deviations). A column
 * belongs to it when its coefficient is 1 or -1; null when one is anything but these or 0. Pure.
 */
export function sumsOfSeveral(total: Measured, others: readonly Measured[]): Term[] | null {
  const columns = others.filter((each) => each.column.nulls < each.rows.length * 0.3);
  if (columns.length < limits.terms[0]) return null;
  const rows = completeRows(total, columns);
  if (rows.length < Math.max(30, columns.length * 3)) return null;
  const scales = columns.map((each) => largest(each, rows) || 1);
  const weights = new Float64Array(rows.length).fill(1);
  let coefficients: number[] = [];
  for (let round = 0; round < limits.rounds; round++) {
    coefficients = solved(...equationsOf(total, columns, scales, rows, weights));
    const off = rows.map((row) => {
      let made = 0;
      for (const [index, each] of columns.entries())
        made += ((coefficients[index] ?? 0) * (each.rows[row] ?? 0)) / (scales[index] ?? 1);
      return Math.abs((total.rows[row] ?? 0) - made);
    });
    const least = (largest(total, rows) || 1) * 1e-7;
    for (const [index, distance] of off.entries()) weights[index] = least / Math.max(distance, least);
  }
  const plain = coefficients.map((coefficient, index) => coefficient / (scales[index] ?? 1));
  if (plain.some((value) => Math.abs(value - Math.round(value)) > 0.02 || Math.abs(value) > 1.5)) return null;
  const terms = plain.flatMap((value, index): Term[] => {
    const name = columns[index]?.column.name;
    const sign = Math.round(value);
    return name === undefined || sign === 0 ? [] : [{ sign: sign > 0 ? 1 : -1, factors: [name] }];
  });
  return terms.length >= limits.terms[0] && terms.length <= limits.terms[1] ? terms : null;
}

function completeRows(total: Measured, columns: readonly Measured[]): number[] {
  const rows: number[] = [];
  const step = Math.max(1, Math.floor(total.rows.length / limits.rows));
  for (let row = 0; row < total.rows.length; row += step)
    if ([total, ...columns].every((each) => Number.isFinite(each.rows[row]))) rows.push(row);
  return rows;
}

const largest = (each: Measured, rows: readonly number[]) =>
  rows.reduce((most, row) => Math.max(most, Math.abs(each.rows[row] ?? 0)), 0);

/** The normal equations, weighted, of columns that are scaled to at most 1. */
function equationsOf(
  total: Measured,
  columns: readonly Measured[],
  scales: readonly number[],
  rows: readonly number[],
  weights: Float64Array,
): [left: number[][], right: number[]] {
  const width = columns.length;
  const left = Array.from({ length: width }, () => new Array<number>(width).fill(0));
  const right = new Array<number>(width).fill(0);
  const cells = new Float64Array(width);
  for (const [place, row] of rows.entries()) {
    const weight = weights[place] ?? 0;
    for (let i = 0; i < width; i++) cells[i] = (columns[i]?.rows[row] ?? 0) / (scales[i] ?? 1);
    for (let i = 0; i < width; i++) {
      const line = left[i] ?? [];
      const weighted = weight * (cells[i] ?? 0);
      for (let j = 0; j < width; j++) line[j] = (line[j] ?? 0) + weighted * (cells[j] ?? 0);
      right[i] = (right[i] ?? 0) + weighted * (total.rows[row] ?? 0);
    }
  }
  return [left, right];
}

/** By elimination; a column that others make already gets 0. */
function solved(left: number[][], right: number[]): number[] {
  const width = right.length;
  const first = left.map((line, index) => line[index] ?? 0);
  const used: number[] = [];
  for (let i = 0; i < width; i++) {
    const pivot = left[i]?.[i] ?? 0;
    if (pivot <= (first[i] ?? 0) * 1e-11 || pivot === 0) continue;
    used.push(i);
    for (let k = 0; k < width; k++) {
      const factor = (left[k]?.[i] ?? 0) / pivot;
      if (k === i || factor === 0) continue;
      for (let j = 0; j < width; j++) (left[k] ?? [])[j] = (left[k]?.[j] ?? 0) - factor * (left[i]?.[j] ?? 0);
      right[k] = (right[k] ?? 0) - factor * (right[i] ?? 0);
    }
  }
  return right.map((value, i) => (used.includes(i) ? value / (left[i]?.[i] ?? 1) : 0));
}
