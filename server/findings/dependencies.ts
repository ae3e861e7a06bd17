import type { ObservedColumn } from "../profile/observed-column.ts";
import { isWholeKey, type ObservedTable } from "../profile/observed-table.ts";
import { agreement, agreementWithNulls } from "./chance.ts";
import { isLastChange } from "./measured.ts";
import { isNamedLikeMeasure, isNamedLikeState, isNamedLikeVersion, wordsOf } from "./names.ts";
import { isOfMoments } from "./of-moments.ts";
import { isPlaceInYear } from "./place-in-year.ts";

/**
 * How far one column decides another: rows with the same value of `by` nearly always have the same value of `column`.
 * Only groups of two rows and more say anything.
 */
export type Dependency = {
  by: ObservedColumn;
  column: ObservedColumn;
  /** Rows in groups of two and more. */
  rows: number;
  groups: number;
  /** Groups whose rows are not all alike. */
  broken: readonly BrokenGroup[];
  /** Rows that differ from most of their group. */
  against: number;
  /** How many would if the columns went their own ways. */
  byChance: number;
  /**
   * The same without the largest of the broken groups: what is left may keep to it by having all the same value, which is
   * no law. That goals in a shoot-out mean that there was one says nothing of those with none.
   */
  byChanceElsewhere: number;
};

export type BrokenGroup = {
  /** Index of the value of `by`. */
  value: number;
  rows: number;
  /** Values of the other column in it with their rows, most frequent first; -1 is NULL. */
  counts: readonly (readonly [value: number, rows: number])[];
};

/** Columns with fewer groups, or rows in them, decide by chance. */
const least = { rows: 20, groups: 5 };
/** What hardly any group keeps to is no law; and what moments decide, as they do a version, changes seldom over time. */
const most = { broken: 0.9, changes: 2 };
/** So many rows tell already that one column does not decide another. */
const screened = 3000;

/**
 * Every pair of columns of which one nearly decides the other: at most `share` of the rows are against it, and far
 * fewer than by chance. Pure.
 */
export function dependenciesIn(table: ObservedTable, share: number): Dependency[] {
  const deciding = table.columns.filter((column) => canDecide(column, table));
  const isDecided = (column: ObservedColumn) =>
    column.values.length >= 2 && agreement(column) < 0.95 && !isLastChange(column);
  const decided = table.columns.filter(isDecided);
  return deciding.flatMap((by) => {
    const rows = rowsByValue(by);
    return decided.flatMap((column) => {
      if (column === by || isOfState(by, column)) return [];
      if (by.moments && changesOften(column, by, rows)) return [];
      const quick = table.rowCount > screened * 2 ? measured(by, column, rows, screened) : null;
      if (quick && quick.rows >= least.rows && quick.against > Math.max(3, quick.rows * share * 2)) return [];
      const found = measured(by, column, rows, Number.POSITIVE_INFINITY);
      const isNear =
        found.against <= found.rows * share &&
        found.against <= Math.min(found.byChance, found.byChanceElsewhere) * 0.2;
      const isKept = found.broken.length < found.groups * most.broken;
      return found.rows >= least.rows && found.groups >= least.groups && isNear && isKept ? [found] : [];
    });
  });
}

/** A state decides its own name, and nothing of what is in it. */
const isOfState = (by: ObservedColumn, column: ObservedColumn): boolean =>
  isNamedLikeState(by.name) && !wordsOf(column.name).some((word) => wordsOf(by.name).includes(word));

/**
 * Whether the most frequent value is another one from one moment to the next more often than a few times for each value.
 * Two things of one day, or two people, have nothing else in common.
 */
function changesOften(column: ObservedColumn, by: ObservedColumn, rowsOf: readonly number[][]): boolean {
  const moments = by.moments ?? new Float64Array();
  const inOrder = [...moments.keys()].sort((a, b) => (moments[a] ?? 0) - (moments[b] ?? 0));
  const allowed = column.values.length * most.changes;
  let [before, changes] = [-1, 0];
  for (const value of inOrder) {
    const usual = mostFrequent(column, rowsOf[value] ?? []);
    if (usual < 0) continue;
    if (before >= 0 && usual !== before) changes++;
    if (changes > allowed) return true;
    before = usual;
  }
  return false;
}

/** The index of the value that most of these rows have; -1 is NULL, or there are none. */
export const mostFrequent = (column: ObservedColumn, rows: readonly number[]): number =>
  [...countsOf(column, rows)].reduce((most, each) => (each[1] > most[1] ? each : most), [-1, 0] as const)[0];

/** Groups are formed by names and numbers of things: neither by what is measured nor by what is nearly unique. */
function canDecide(column: ObservedColumn, table: ObservedTable): boolean {
  if (["float", "decimal", "time", "other"].includes(column.kind) || isWholeKey(column, table)) return false;
  if (column.numbers && isNamedLikeMeasure(column.name)) return false;
  if (isNamedLikeVersion(column.name) || (!column.moments && isOfMoments(column))) return false;
  const different = column.values.length;
  if (different < least.groups || different > table.rowCount * 0.8) return false;
  // The 60th day of the year is in March, but not in a leap year.
  return !isPlaceInYear(column, table);
}

/** The rows of each value, by its index. */
export function rowsByValue(column: ObservedColumn): readonly number[][] {
  const rows: number[][] = column.values.map(() => []);
  for (const [row, index] of column.rows.entries()) if (index >= 0) rows[index]?.push(row);
  return rows;
}

function measured(
  by: ObservedColumn,
  column: ObservedColumn,
  rowsOf: readonly number[][],
  enough: number,
): Dependency {
  // Nothing is a value that a group may have, too: where most rows have none, most are alike by chance.
  const alike = agreementWithNulls(column);
  let [rows, groups, against, byChance] = [0, 0, 0, 0];
  const broken: BrokenGroup[] = [];
  const usual: Usual[] = [];
  for (const [value, members] of rowsOf.entries()) {
    if (members.length < 2) continue;
    if (rows >= enough) break;
    const counts = countsOf(column, members);
    const filled = members.length - (counts.get(-1) ?? 0);
    if (filled < 2) continue;
    rows += members.length;
    groups++;
    // In a group of two, one differs as often as two random rows do; in a large one, all but the most frequent.
    byChance += (members.length - 1) * (1 - alike);
    const sorted = [...counts].sort((a, b) => b[1] - a[1]);
    usual.push({ value: sorted[0]?.[0] ?? -1, rows: members.length, isBroken: sorted.length > 1 });
    if (sorted.length === 1) continue;
    against += members.length - (sorted[0]?.[1] ?? 0);
    broken.push({ value, rows: members.length, counts: sorted });
  }
  return { by, column, rows, groups, broken, against, byChance, byChanceElsewhere: byChanceWithout(usual) };
}

/** A group's most frequent value. */
type Usual = { value: number; rows: number; isBroken: boolean };

/** How many rows would differ from most of their group by chance, in all groups but the largest broken one. */
function byChanceWithout(groups: readonly Usual[]): number {
  const largest = groups.reduce<Usual | null>(
    (most, group) => (group.isBroken && group.rows > (most?.rows ?? 0) ? group : most),
    null,
  );
  const rowsOf = new Map<number, number>();
  let [rows, repeats] = [0, 0];
  for (const group of groups) {
    if (group === largest) continue;
    rows += group.rows;
    repeats += group.rows - 1;
    rowsOf.set(group.value, (rowsOf.get(group.value) ?? 0) + group.rows);
  }
  let alike = 0;
  for (const of of rowsOf.values()) alike += (of / rows) ** 2;
  return repeats * (1 - alike);
}

function countsOf(column: ObservedColumn, rows: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const index = column.rows[row] ?? -1;
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return counts;
}
