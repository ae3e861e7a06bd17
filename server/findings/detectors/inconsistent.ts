import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { plural } from "../../text.ts";
import { calendarOrder, goesWithItsNeighbor, isPeriod } from "../calendar.ts";
import type { Candidate, Detector } from "../candidate.ts";
import { areChanges, type Split } from "../changes-over-time.ts";
import type { Condition } from "../condition.ts";
import {
  type BrokenGroup,
  type Dependency,
  dependenciesIn,
  mostFrequent,
  rowsByValue,
} from "../dependencies.ts";
import { quoted } from "../doubted.ts";
import { explainedBy } from "../explained.ts";
import { isNamedLikeKey } from "../names.ts";
import { namesakesOf } from "../namesakes.ts";
import { placeholderOf } from "../placeholders.ts";

/** Of what one column decides of another, at most so many rows are against it; where many tell the same, more. */
const most = { share: 0.05, shown: 3, groups: 500 };
/** One value of a group is the usual one where so many more rows have it than any other. */
const majority = 2;

/** One ZIP with two cities: rows that differ from all others with the same value in another column. */
export const inconsistencies: Detector = (table) => {
  const dependencies = dependenciesIn(table, most.share);
  return dependencies
    .filter(({ broken }) => broken.length > 0)
    .flatMap((dependency) => candidateOf(table, dependency, dependencies) ?? []);
};

function candidateOf(
  table: ObservedTable,
  dependency: Dependency,
  all: readonly Dependency[],
): Candidate | null {
  const { by, column, broken } = dependency;
  const isAtTurn = atTurnOf(dependency);
  const isNamesake = namesakesOf(dependency, all);
  const isOfPeriods = ofPeriods(table, dependency);
  const doubted = broken
    .filter((group) => namesSomething(by, group.value) && !isAtTurn(group) && !isOfPeriods(group))
    .filter((group) => !isOneNumber(column, group))
    .slice(0, most.groups)
    .map((group) => ({ group, values: atFault(group) }));
  const rows = rowsIn(dependency, doubted);
  if (rows.length === 0) return null;
  const ofNamesakes = rows.filter(isNamesake).length / rows.length;
  const statement = statementOf(table, dependency, doubted);
  const others = all.filter((other) => other.by === by && other !== dependency).length;
  const minority = doubted.flatMap(({ values }) => values).filter((value) => value >= 0);
  const groupsOf = Math.max(1, dependency.groups);
  return {
    kind: "Inconsistent",
    table,
    columns: [column.name],
    rows,
    condition: { is: "any", of: doubted.map(({ group, values }) => condition(by, column, group, values)) },
    outOf: dependency.rows,
    statement,
    rule: null,
    features: {
      rarity: Math.min(1, -Math.log10(dependency.against / dependency.rows) / 4),
      brokenShare: Math.min(1, (broken.length / groupsOf) * 10),
      // Many groups that keep to it are no chance.
      groups: Math.min(1, Math.log10(groupsOf) / 3),
      beyondChance: Math.min(1, Math.log10(dependency.byChance / Math.max(1, dependency.against)) / 3),
      hasMajority: doubted.filter(({ group }) => hasMajority(group)).length / doubted.length,
      groupSize: Math.min(1, dependency.rows / groupsOf / 20),
      // What decides many columns, or nearly does, is a thing of its own, with its properties.
      decidesOthers: Math.min(1, others / 6),
      // Values that occur nowhere else are slips; those that other groups have may be meant.
      isNowhereElse:
        minority.filter((value) => (column.counts[value] ?? 0) <= 2).length / Math.max(1, minority.length),
      isMissing: Number(minority.length === 0),
      isOneState: oneState(column, doubted),
      // One against twenty is a slip; two against four are two values.
      dominance: dominanceOf(doubted),
      isKey: Number(isNamedLikeKey(by.name)),
      // The same again and again in one group is another value that it has.
      often: Math.min(1, Math.log10(oftenest(doubted)) / 1.5),
      // Each city has one ZIP as well: two names of one thing.
      isMutual: Number(all.some((other) => other.by === column && other.column === by)),
      size: Math.min(1, Math.log10(dependency.rows) / 5),
      explained: explainedBy(table, rows, [by.name, column.name])?.share ?? 0,
      ofNamesakes,
      areChanges: Number(areChanges(table, splitsOf(dependency, doubted))),
    },
    evidence: {
      doubted: doubted
        .flatMap(({ group, values }) =>
          group.counts
            .filter(([value]) => values.includes(value))
            .map(([value, count]) => ({ value: textOf(column, value), rows: count })),
        )
        .slice(0, 10),
    },
  };
}

/** 0.1 + 0.2 is 0.30000000000000004. */
const roundingError = 1e-9;

/** Whether all that a group has is one number, but for what rounding makes of it. */
function isOneNumber({ numbers }: ObservedColumn, { counts }: BrokenGroup): boolean {
  const measures = counts.map(([value]) => numbers?.[value] ?? Number.NaN);
  const [first = 0] = measures;
  return measures.every((measure) => Math.abs(measure - first) <= Math.abs(first) * roundingError);
}

/** Whether what differs within a group of a calendar's days differs because its periods end on different days. */
function ofPeriods(table: ObservedTable, { by, column }: Dependency): (group: BrokenGroup) => boolean {
  const order = calendarOrder(table);
  if (!order || !isPeriod(by, order) || !isPeriod(column, order)) return () => false;
  const goesOn = goesWithItsNeighbor(column, order);
  const members = rowsByValue(by);
  return ({ value, counts: [[usual] = [-1]] }) =>
    (members[value] ?? []).every((row) => (column.rows[row] ?? -1) === usual || goesOn(row));
}

/** What stands for nothing, or is no number among numbers, is doubted itself: its rows have nothing in common. */
function namesSomething({ values, numbers, kind }: ObservedColumn, value: number): boolean {
  const text = values[value] ?? "";
  if (numbers) return !Number.isNaN(numbers[value]);
  return kind !== "text" || (text.trim() !== "" && placeholderOf(text) === null);
}

/** In how many rows of one group the most frequent of the doubted values is. */
const oftenest = (doubted: readonly Doubted[]): number =>
  doubted.reduce(
    (most, { group, values }) =>
      group.counts.reduce(
        (rows, [value, count], at) => (at > 0 && values.includes(value) ? Math.max(rows, count) : rows),
        most,
      ),
    1,
  );

/** So many groups a value lasts at least where it changes at a time, and a change takes no longer than so many. */
const turn = { lasts: 4, takes: 2 };

/**
 * Where moments decide, as versions are changed at one: whether a group is around such a change, and all of its other values
 * are usual right before or after it.
 */
function atTurnOf({ by, column }: Dependency): (group: BrokenGroup) => boolean {
  const { moments, values } = by;
  if (!moments || column.values.length * turn.lasts > values.length) return () => false;
  const inOrder = [...values.keys()].sort((a, b) => (moments[a] ?? 0) - (moments[b] ?? 0));
  const places = new Map(inOrder.map((value, place) => [value, place]));
  const members = rowsByValue(by);
  return ({ value, counts }) => {
    const place = places.get(value) ?? 0;
    const near = inOrder.slice(Math.max(0, place - turn.takes), place + turn.takes + 1);
    const usual = new Set(
      near.filter((each) => each !== value).map((each) => mostFrequent(column, members[each] ?? [])),
    );
    return counts.slice(1).every(([other]) => other >= 0 && usual.has(other));
  };
}

/** Fewer exceptions are alike by chance. */
const leastAlike = 4;

/**
 * How far the exceptions are one and the same value, which hardly any other row has: what was canceled, or not paid, is a
 * rare state that may come with anything, and no slip. From 0 to 1; 0 where there are only two values to choose from.
 */
function oneState(column: ObservedColumn, doubted: readonly Doubted[]): number {
  const rowsOf = new Map<number, { groups: number; rows: number }>();
  let groups = 0;
  for (const { group, values } of doubted)
    for (const [value, rows] of group.counts) {
      if (value < 0 || !values.includes(value)) continue;
      const before = rowsOf.get(value);
      rowsOf.set(value, { groups: (before?.groups ?? 0) + 1, rows: (before?.rows ?? 0) + rows });
      groups++;
    }
  const [[state, { groups: alike, rows } = { groups: 0, rows: 0 }] = []] = [...rowsOf].toSorted(
    ([, one], [, other]) => other.groups - one.groups,
  );
  const byChance = 1 / Math.max(1, column.values.length - 1);
  if (state === undefined || alike < leastAlike || byChance === 1) return 0;
  const beyondChance = (alike / groups - byChance) / (1 - byChance);
  return Math.max(0, beyondChance) * Math.min(1, rows / (column.counts[state] ?? rows));
}

/** How rare the others are beside the most frequent value: 0 for all, 0.5 for one in ten, 1 for one in a hundred. */
function dominanceOf(doubted: readonly Doubted[]): number {
  const others = doubted.reduce(
    (sum, { group: { counts, rows } }) => sum + 1 - (counts[0]?.[1] ?? 0) / rows,
    0,
  );
  return Math.min(1, -Math.log10(Math.max(0.01, others / doubted.length)) / 2);
}

/** The values of a group that are doubted: all but the usual one; all of them where none is. */
function atFault(group: BrokenGroup): number[] {
  const values = group.counts.map(([value]) => value);
  return hasMajority(group) ? values.slice(1) : values;
}

function hasMajority({ counts }: BrokenGroup): boolean {
  const [[, first = 0] = [], [, second = 0] = []] = counts;
  return first >= second * majority;
}

type Doubted = { group: BrokenGroup; values: readonly number[] };

function rowsIn({ by, column }: Dependency, doubted: readonly Doubted[]): Int32Array {
  const members = rowsByValue(by);
  const rows = doubted.flatMap(({ group, values }) =>
    (members[group.value] ?? []).filter((row) => values.includes(column.rows[row] ?? -1)),
  );
  return Int32Array.from(rows).sort();
}

function splitsOf({ by, column }: Dependency, doubted: readonly Doubted[]): Split[] {
  const members = rowsByValue(by);
  return doubted.map(({ group, values }) => {
    const usual = values.length < group.counts.length ? values : values.slice(1);
    const isDifferent = (row: number) => usual.includes(column.rows[row] ?? -1);
    const rows = members[group.value] ?? [];
    return { different: rows.filter(isDifferent), others: rows.filter((row) => !isDifferent(row)) };
  });
}

function condition(
  by: ObservedColumn,
  column: ObservedColumn,
  group: BrokenGroup,
  values: readonly number[],
): Condition {
  const texts = values.filter((value) => value >= 0).map((value) => textOf(column, value));
  const isAny: Condition[] = [
    ...(texts.length > 0 ? [{ is: "oneOf" as const, column: column.name, values: texts }] : []),
    ...(values.includes(-1) ? [{ is: "null" as const, column: column.name }] : []),
  ];
  const [one] = isAny;
  const of: Condition = isAny.length === 1 && one ? one : { is: "any", of: isAny };
  return { is: "all", of: [{ is: "oneOf", column: by.name, values: [textOf(by, group.value)] }, of] };
}

function statementOf(
  table: ObservedTable,
  { by, column, groups }: Dependency,
  doubted: readonly Doubted[],
): string {
  const shown = doubted.slice(0, most.shown).map(({ group }) => {
    const values = group.counts.slice(0, 2).map(([value, count]) => `${quotedOr(column, value)} (${count})`);
    return `${quoted(textOf(by, group.value))} has ${values.join(" and ")}`;
  });
  const rest = doubted.length > shown.length ? `, and ${doubted.length - shown.length} more` : "";
  return `In ${table.tableName}, each ${by.name} has one ${column.name}, except ${doubted.length} of ${plural(groups, "value")}: ${shown.join("; ")}${rest}.`;
}

const textOf = (column: ObservedColumn, value: number) => column.values[value] ?? "";
const quotedOr = (column: ObservedColumn, value: number) =>
  value < 0 ? "none" : quoted(textOf(column, value));
