import type { ObservedTable } from "../../profile/observed-table.ts";
import { sumOf, type Term } from "../condition.ts";
import { isIdentifier, type Measured, measuredColumns } from "../measured.ts";
import { sumsOfSeveral } from "./sums-of-several.ts";

/** A column that is nearly always what others make. */
export type Equation = {
  total: Measured;
  terms: readonly Term[];
  /** All of its columns, the total first. */
  columns: readonly Measured[];
  tolerance: number;
  /** Rows that have all of its columns. */
  filled: number;
  /** Rows among them where the term that matters least does: it adds more than 0, or multiplies by another than 1. */
  telling: number;
  against: Int32Array;
  /** How often it would hold if a total other than 0 came from another row. */
  byChance: number;
};

/** How many columns are tried with each other, and what an equation needs to be believed. */
const limits = {
  columns: 20,
  tripled: 12,
  filled: 30,
  telling: 20,
  totals: 8,
  against: 0.05,
  byChance: 0.25,
};

/** Several detectors ask for them. */
const known = new WeakMap<ObservedTable, Equation[]>();

/** Sums and products between the columns of a table, also those that hold for every row. Pure. */
export function equationsIn(table: ObservedTable): Equation[] {
  const found = known.get(table) ?? foundIn(table);
  known.set(table, found);
  return found;
}

/** How many of some rows have a value in this column that agrees with the others of an equation, from 0 to 1. */
export function confirmedShare(table: ObservedTable, columns: readonly string[], rows: Int32Array): number {
  let most = 0;
  for (const { columns: used, against } of equationsIn(table)) {
    if (!columns.every((name) => used.some(({ column }) => column.name === name))) continue;
    const wrong = new Set(against);
    const agreeing = rows.filter(
      (row) => !wrong.has(row) && used.every((each) => !Number.isNaN(each.rows[row])),
    ).length;
    most = Math.max(most, agreeing);
  }
  return rows.length === 0 ? 0 : most / rows.length;
}

function foundIn(table: ObservedTable): Equation[] {
  const numbers = measuredColumns(table)
    .filter((each) => !each.isMoment && each.column.values.length >= 2 && !isIdentifier(each))
    .slice(0, limits.columns);
  if (numbers.length < 3 || table.rowCount < limits.filled) return [];
  const totals = numbers.filter(({ column }) => column.values.length >= limits.totals);
  const found = totals.flatMap((total) => {
    const others = numbers.filter((each) => each !== total);
    const tolerance = unitOf(total) * 1.01 + noiseOf(total);
    const sample = tellingSample(total);
    const short = formsOf(others)
      .filter((terms) => holdsInSample(total, terms, tolerance, numbers, sample))
      .flatMap((terms) => believed(table, total, terms, numbers) ?? [])
      .map((equation) => completed(table, equation, numbers));
    if (short.length > 0) return short;
    const several = sumsOfSeveral(total, others);
    return several ? (believed(table, total, several, numbers) ?? []) : [];
  });
  return withoutDoubles(found);
}

export const isWithin = ({ column }: Measured, low: number, high: number) =>
  column.numbers?.every((number) => !(number < low || number > high)) ?? false;
export const hasFractions = ({ column }: Measured) =>
  column.numbers?.some((number) => number % 1 !== 0 && !Number.isNaN(number)) ?? false;

/** A share as it is written in a column: 0.2, or 20 for the same; what it leaves, and what it adds. */
function sharesOf(each: Measured) {
  const column = each.column.name;
  if (isWithin(each, 0, 1) && hasFractions(each)) return [{ column, times: 1 }];
  return isWithin(each, 0, 100) ? [{ column, times: 0.01 }] : [];
}

/** What two or three columns may make. */
function formsOf(columns: readonly Measured[]): Term[][] {
  const names = columns.map(({ column }) => column.name);
  const pairs = names.flatMap((a, index) => names.slice(index + 1).map((b) => [a, b] as const));
  const shares = columns.flatMap(sharesOf);
  const product = (...factors: Term["factors"]): Term => ({ sign: 1, factors });
  const one = (name: string, sign: 1 | -1 = 1): Term => ({ sign, factors: [name] });
  const forms: Term[][] = pairs.flatMap(([a, b]) => [[one(a), one(b)], [product(a, b)]]);
  for (const { column, times } of shares)
    for (const name of names.filter((each) => each !== column)) {
      if (times !== 1) forms.push([product(name, { column, times, plus: 0 })]);
      for (const sign of [-1, 1]) forms.push([product(name, { column, times: sign * times, plus: 1 })]);
    }
  if (columns.length > limits.tripled) return forms;
  for (const [a, b] of pairs) {
    for (const { column, times } of shares.filter((share) => share.column !== a && share.column !== b))
      for (const sign of [-1, 1]) forms.push([product(a, b, { column, times: sign * times, plus: 1 })]);
    for (const c of names.filter((each) => each !== a && each !== b))
      forms.push([product(a, b), one(c)], [product(a, b), one(c, -1)]);
    for (const c of names.slice(names.indexOf(b) + 1)) forms.push([product(a, b, c)]);
  }
  return forms;
}

const nameOf = (factor: Term["factors"][number]) => (typeof factor === "string" ? factor : factor.column);
const columnsOf = (terms: readonly Term[], all: readonly Measured[]): Measured[] => {
  const names = terms.flatMap(({ factors }) => factors.map(nameOf));
  return all.filter(({ column }) => names.includes(column.name));
};

/** One step of the last place that the column writes. */
export function unitOf({ column }: Measured): number {
  let places = 0;
  for (const value of column.values) {
    const point = value.indexOf(".");
    if (point >= 0) places = Math.max(places, /[eE]/.test(value) ? 9 : value.length - point - 1);
  }
  return 10 ** -Math.min(places, 9);
}

/** What doubles cannot tell apart. */
export function noiseOf({ column }: Measured): number {
  let most = 0;
  for (const number of column.numbers ?? []) if (Math.abs(number) > most) most = Math.abs(number);
  return Number.isFinite(most) ? most * (column.kind === "float" ? 1e-7 : 1e-12) : 0;
}

/** Some of the rows whose total is not 0: where it is, so is what makes it, whatever that is. */
function tellingSample({ rows }: Measured): number[] {
  const telling = [...rows.keys()].filter((row) => rows[row] !== 0 && !Number.isNaN(rows[row]));
  const step = Math.max(1, Math.floor(telling.length / 200));
  return telling.filter((_, index) => index % step === 0);
}

/** Whether some rows agree, looked at until too many do not: most forms end after a few. */
function holdsInSample(
  total: Measured,
  terms: readonly Term[],
  tolerance: number,
  numbers: readonly Measured[],
  sample: readonly number[],
): boolean {
  const made = madeBy(terms, numbers);
  let [checked, wrong] = [0, 0];
  for (const row of sample) {
    const difference = Math.abs((total.rows[row] ?? Number.NaN) - made(row));
    if (Number.isNaN(difference)) continue;
    checked++;
    if (difference > tolerance && ++wrong > 4 + checked * 0.08) return false;
  }
  return checked >= Math.min(20, limits.filled);
}

/** The same as `sumOf`, from measures that are laid out by row already. */
function madeBy(terms: readonly Term[], numbers: readonly Measured[]): (row: number) => number {
  const parts = terms.map(({ sign, factors }) => ({
    sign,
    factors: factors.map((factor) => ({
      rows: numbers.find(({ column }) => column.name === nameOf(factor))?.rows,
      times: typeof factor === "string" ? 1 : factor.times,
      plus: typeof factor === "string" ? 0 : factor.plus,
    })),
  }));
  return (row) => {
    let sum = 0;
    for (const { sign, factors } of parts) {
      let product = sign as number;
      for (const { rows, times, plus } of factors) product *= plus + times * (rows?.[row] ?? Number.NaN);
      sum += product;
    }
    return sum;
  };
}

/** The equation over all rows; null when too few agree, or when agreeing says nothing. */
function believed(
  table: ObservedTable,
  total: Measured,
  terms: readonly Term[],
  numbers: readonly Measured[],
): Equation | null {
  const made = sumOf(table, terms);
  const differences = total.rows.map((measure, row) => Math.abs(measure - made(row)));
  const known = differences.filter((difference) => !Number.isNaN(difference)).sort();
  const unit = unitOf(total);
  const noise = noiseOf(total);
  // Where nearly all agree to the last place, a difference of one place is a difference.
  const isExact = (known[Math.floor(known.length * 0.9)] ?? 0) <= unit * 0.01 + noise;
  const tolerance = unit * (isExact ? 0.5 : 1.01) + noise;
  const columns = [total, ...columnsOf(terms, numbers)];
  const factors = factorsOf(terms, numbers, tolerance);
  const tellingOf = factors.map(() => 0);
  const [against, totals] = [[] as number[], new Set<number>()];
  let [chance, tried] = [0, 0];
  const filled = known.length;
  for (const [row, difference] of differences.entries()) {
    if (Number.isNaN(difference)) continue;
    if (difference > tolerance) against.push(row);
    else {
      totals.add(total.rows[row] ?? 0);
      for (const [index, matters] of factors.entries())
        if (matters(row)) tellingOf[index] = (tellingOf[index] ?? 0) + 1;
    }
    // Nothing is made of nothing, in whatever row.
    if (total.rows[row] === 0) continue;
    const other = (row * 7919 + 13) % differences.length;
    tried++;
    if (Math.abs((total.rows[row] ?? 0) - made(other)) <= tolerance) chance++;
  }
  const telling = Math.min(...tellingOf);
  const byChance = tried === 0 ? 1 : chance / tried;
  const isBelieved =
    filled >= limits.filled &&
    telling >= limits.telling &&
    totals.size >= limits.totals &&
    against.length <= Math.max(1, filled * limits.against) &&
    against.length <= telling * 0.2 &&
    byChance <= limits.byChance;
  if (!isBelieved) return null;
  return { total, terms, columns, tolerance, filled, telling, against: Int32Array.from(against), byChance };
}

/** For each factor of each term, whether a row would say something else without it: by more than rounding hides. */
function factorsOf(
  terms: readonly Term[],
  numbers: readonly Measured[],
  tolerance: number,
): ((row: number) => boolean)[] {
  return terms.flatMap((term) => {
    const all = madeBy([term], numbers);
    return term.factors.map((_, at) => {
      const others = term.factors.filter((__, other) => other !== at);
      const without = others.length === 0 ? () => 0 : madeBy([{ ...term, factors: others }], numbers);
      return (row: number) => all(row) !== 0 && Math.abs(all(row) - without(row)) > tolerance;
    });
  });
}

/** What is missing in the rows against it is often one more column, which is 0 in most rows: a fee, a discount. */
function completed(table: ObservedTable, equation: Equation, numbers: readonly Measured[]): Equation {
  const { total, terms, against, tolerance, columns } = equation;
  if (against.length < 3) return equation;
  const made = sumOf(table, terms);
  for (const more of numbers.filter((each) => !columns.includes(each)))
    for (const sign of [1, -1] as const) {
      const explained = against.filter((row) => {
        const measure = more.rows[row] ?? Number.NaN;
        return measure !== 0 && Math.abs((total.rows[row] ?? 0) - made(row) - sign * measure) <= tolerance;
      });
      if (explained.length < against.length * 0.3) continue;
      const longer = believed(table, total, [...terms, { sign, factors: [more.column.name] }], numbers);
      // Terms of two factors that share a column are as well told by the longer form.
      if (longer || explained.length >= against.length * 0.6)
        return longer ?? { ...equation, against: new Int32Array(0) };
    }
  return equation;
}

/**
 * Of equations over the same columns one is enough. And where a column less makes more exceptions, it is the column
 * that is missing.
 */
function withoutDoubles(found: readonly Equation[]): Equation[] {
  const key = ({ columns }: Equation) =>
    columns
      .map(({ at }) => at)
      .sort((a, b) => a - b)
      .join();
  const best = [...Map.groupBy(found, key).values()].flatMap(
    (same) => same.toSorted((a, b) => a.against.length - b.against.length || rank(b) - rank(a))[0] ?? [],
  );
  return best.filter(
    (equation) =>
      !best.some(
        (other) =>
          other.columns.length > equation.columns.length &&
          other.against.length < equation.against.length &&
          equation.columns.every((column) => other.columns.includes(column)),
      ),
  );
}

/** Sums without a minus read best, and what is made stands behind what it is made of. */
const rank = ({ terms, total, columns }: Equation) =>
  Number(terms.every(({ sign }) => sign === 1)) * 0.5 + Number(columns.every(({ at }) => at <= total.at));
