import { type Grouping, groupBy, nullsAsValues, sizesOf, within } from "../profile/grouping.ts";
import { filledRows, type ObservedColumn } from "../profile/observed-column.ts";

/** What chance alone would give. Pure. */

/** The probability that two random rows have the same value. */
export function agreement(column: ObservedColumn): number {
  const filled = filledRows(column);
  if (filled === 0) return 0;
  let sum = 0;
  for (const count of column.counts) sum += (count / filled) ** 2;
  return sum;
}

/** The same where having no value is to be alike, too. */
export function agreementWithNulls(column: ObservedColumn): number {
  const rows = column.rows.length;
  if (rows === 0) return 0;
  const filled = filledRows(column) / rows;
  return agreement(column) * filled ** 2 + (1 - filled) ** 2;
}

/** How many rows repeat one that came before, beyond the first of each group. */
export function surplus(grouping: Grouping): number {
  let sum = 0;
  for (const size of sizesOf(grouping)) sum += Math.max(0, size - 1);
  return sum;
}

/** How many pairs of rows would be alike if each of these columns went its own way. */
export function expectedPairs(columns: readonly ObservedColumn[], rows: number): number {
  const alike = columns.reduce((product, column) => product * Math.max(agreement(column), 1 / rows), 1);
  return ((rows * (rows - 1)) / 2) * alike;
}

/** How many pairs of rows are in the same group. */
function pairsIn(grouping: Grouping): number {
  let sum = 0;
  for (const size of sizesOf(grouping)) sum += (size * (size - 1)) / 2;
  return sum;
}

/** A share that few pairs tell is taken as far from what is usual as so many pairs more would. */
const asUsual = 10;
/** A column is asked what it has in common with so many together, of so many that come before it. */
const most = { together: 3, before: 12 };
/** What is less likely than this is not looked at closer. */
const negligible = 1e-6;

/**
 * How many pairs of rows would be alike in all of these columns by chance, where columns may say the same as others.
 * A NULL is a value like any other.
 *
 * Column after column, the coarsest first: each leaves a part of the pairs that were alike so far. How large that part is
 * is seen in these pairs themselves while there are many. Where there are few, it is as in all pairs that are alike in
 * some of the columns before. Pairs that are alike in everything are what is asked about: they may be by chance or not,
 * so the part is only known to be between what it is without them and with them. Far more than there are can be expected
 * where rows are kept apart, as by a key.
 */
export function expectedAlike(columns: readonly ObservedColumn[], rows: number): number {
  const all = (rows * (rows - 1)) / 2;
  const sorted = columns
    .map(nullsAsValues)
    .map((column) => ({ column, pairs: pairsIn(groupBy([column])) }))
    .toSorted((a, b) => b.pairs - a.pairs);
  const alike = pairsIn(groupBy(sorted.map(({ column }) => column)));
  let [expected, from, sofar]: [number, number, Grouping | null] = [all, all, null];
  for (const [place, { column, pairs }] of sorted.entries()) {
    const grouping: Grouping = sofar ? within(sofar, column) : groupBy([column]);
    const to = pairsIn(grouping);
    const low = from > alike ? (to - alike) / (from - alike) : 0;
    // Where only those pass that are asked about, all others may have been kept apart.
    const high = to > alike ? to / from : 1;
    const before = sorted.slice(Math.max(0, place - most.before), place).map((each) => each.column);
    const alone = Math.max(1, pairs - alike) / all;
    // Many pairs leave no doubt.
    const share = high - low < low * 0.1 ? low : shareGiven(before, column, { alike, alone, low, high });
    expected *= share;
    if (expected < negligible) return expected;
    [from, sofar] = [to, grouping];
  }
  return expected;
}

/** The part of the pairs alike in some of the columns before that are alike in this one, too: of those that tell most. */
function shareGiven(
  before: readonly ObservedColumn[],
  column: ObservedColumn,
  { alike, alone, low, high }: Readonly<Record<"alike" | "alone" | "low" | "high", number>>,
): number {
  let [share, given]: [number, readonly ObservedColumn[]] = [Math.max(low, alone), []];
  while (share < high && given.length < most.together) {
    const usual = share;
    let next: readonly ObservedColumn[] | null = null;
    for (const other of before.filter((each) => !given.includes(each))) {
      const context = groupBy([...given, other]);
      const of = Math.max(0, pairsIn(context) - alike);
      const both = Math.max(0, pairsIn(within(context, column)) - alike);
      // Of many that are compared, one is large by chance: a standard deviation less.
      const found = (both - Math.sqrt(both) + asUsual * usual) / (of + asUsual);
      if (found > share) [share, next] = [found, [...given, other]];
    }
    if (!next) break;
    given = next;
  }
  return Math.min(high, share);
}

/**
 * How likely so many or more come where so many are expected, of independent events: at most this, by Chernoff's bound,
 * which is lower where it is known of how many events.
 */
export function chanceOfAtLeast(count: number, expected: number, of = Number.POSITIVE_INFINITY): number {
  if (count <= expected) return 1;
  if (of === Number.POSITIVE_INFINITY) return Math.exp(count - expected - count * Math.log(count / expected));
  const rest = of - count;
  return Math.exp(
    -count * Math.log(count / expected) - (rest > 0 ? rest * Math.log(rest / (of - expected)) : 0),
  );
}

/**
 * How many values of a column would repeat one before if they were drawn at random from between the least and the
 * greatest; null where that says nothing: of texts.
 */
export function expectedRepeats(column: ObservedColumn): number | null {
  if (column.kind !== "integer" || !column.numbers) return null;
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of column.numbers) {
    least = Math.min(least, number);
    greatest = Math.max(greatest, number);
  }
  const [drawn, from] = [filledRows(column), greatest - least + 1];
  // So many different ones are expected of so many drawn.
  return drawn - from * (1 - Math.exp(-drawn / from));
}
