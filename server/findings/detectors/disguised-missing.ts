import { filledRows, type ObservedColumn } from "../../profile/observed-column.ts";
import { isWholeKey, type ObservedTable } from "../../profile/observed-table.ts";
import type { Candidate, Detector } from "../candidate.ts";
import { have, quoted, rowsOf } from "../doubted.ts";
import { explainedBy } from "../explained.ts";
import { apartness, likeNines, type Measured, spikeOf } from "../isolated.ts";
import { isNamedLikeKey, wordsOf } from "../names.ts";
import { isNamedLikeStep, isSentinel, isSentinelDay, placeholderOf } from "../placeholders.ts";
import { rowsOfValues, valuesAgainst } from "../rare-values.ts";
import { areForNothing, rowsForNothing } from "../rows-for-nothing.ts";
import { shapeOf } from "../shape.ts";
import { usualElsewhere } from "../usual-elsewhere.ts";
import { writtenAsPointedTo } from "./parents.ts";

/** A value that more of the rows have is what the column says where there is nothing to say. */
const mostShare = 0.05;
const leastRows = 20;

/** `n/a`, `-`, 9999 or 1900-01-01 among real values. */
export const disguisedMissing: Detector = (table, database) => {
  const found = table.columns
    .filter((column) => filledRows(column) >= leastRows && !namesRows(column, table))
    .flatMap((column) => {
      // A key of the table that the column points to is that one's row, which may well be called unknown.
      const isKeyThere = writtenAsPointedTo(table, column, database);
      const isUsual = usualElsewhere(table, column, database);
      const isMeant = (index: number) => isKeyThere(index) || isUsual(index);
      return [
        ...textsIn(table, column, isMeant),
        ...numbersIn(table, column, isMeant),
        ...momentsIn(table, column, isUsual),
      ];
    })
    .filter(({ rows }) => !areForUnknown(rows, table));
  const forNothing = rowsForNothing(table);
  // Where one column has -1, another has n/a: neither explains the other.
  const doubted = found.flatMap(({ columns }) => columns);
  return found.map((each) => ({
    ...each,
    features: {
      ...each.features,
      isForNothing: Number(areForNothing(each.rows, forNothing)),
      explained: explainedShare(table, each.rows, doubted),
    },
  }));
};

/** How well a value of another column tells which rows they are, unless it stands for nothing itself. */
function explainedShare(table: ObservedTable, rows: Int32Array, besides: readonly string[]): number {
  const found = explainedBy(table, rows, besides);
  if (!found) return 0;
  const saysSomething = found.value !== null && placeholderOf(found.value) === null;
  return saysSomething ? found.share : explainedShare(table, rows, [...besides, found.column]);
}

/** A row for what is unknown has a key apart from the others: 0, -1, or a number far beyond them. */
const ofUnknown = { rows: 2, beyond: 10 };

function areForUnknown(rows: Int32Array, { columns: [first], rowCount }: ObservedTable): boolean {
  const keys = first?.numbers;
  if (!keys || rows.length > ofUnknown.rows || first.values.length < rowCount) return false;
  const sorted = keys.toSorted();
  const most = sorted[Math.floor(sorted.length * 0.8)] ?? 0;
  return rows.every((row) => {
    const key = keys[first.rows[row] ?? -1] ?? Number.NaN;
    return key <= 0 || key > most * ofUnknown.beyond;
  });
}

type Strength = { strength: number; apart?: number; spike?: number; fits?: number };

/** Of what its rows are called by, each value stands for one: that of what is unknown as well. */
const namesRows = (column: ObservedColumn, table: ObservedTable): boolean =>
  isWholeKey(column, table) ||
  (column === table.columns[0] && isNamedLikeKey(column.name) && column.values.length === table.rowCount);

function textsIn(
  table: ObservedTable,
  column: ObservedColumn,
  isMeant: (index: number) => boolean,
): Candidate[] {
  const byKind = new Map<string, number[]>();
  // A number or a date that says NaN, or null, is none either.
  for (const [index, value] of column.values.entries()) {
    // Of texts that are numbers, these are looked at as numbers. A date that is one stands for a day.
    const measures = column.numbers ?? (column.kind === "text" ? null : column.moments);
    if (measures && !Number.isNaN(measures[index])) continue;
    const kind = placeholderOf(value);
    if (kind === null || (column.kind !== "text" && kind !== "sure")) continue;
    if (isOneOfTheOthers(column, index, kind) || isMeant(index)) continue;
    const found = byKind.get(kind);
    if (found) found.push(index);
    else byKind.set(kind, [index]);
  }
  const doubted = new Set([...byKind.values()].flat());
  const usual = column.kind === "text" ? usualShapes(column, doubted) : new Set<string>();
  return [...byKind].flatMap(([kind, indexes]) => {
    if (isTooMuch(column, indexes)) return [];
    const fits = indexes.filter((index) => usual.has(shapeOf(column.values[index] ?? ""))).length;
    const strength = { sure: 1, signs: 0.8, repeated: 0.6, unsure: 0.4 }[kind] ?? 0;
    return [candidateOf(table, column, indexes, { strength, fits: fits / indexes.length })];
  });
}

/** Categories are frequent, and a code that looks like the others is one of them: NA is Namibia among countries. */
function isOneOfTheOthers(column: ObservedColumn, index: number, kind: string): boolean {
  const value = column.values[index] ?? "";
  const own = column.counts[index] ?? 0;
  const others = [...column.counts].filter((_, other) => other !== index).toSorted((a, b) => a - b);
  if (others.length === 0) return true;
  const middle = others[others.length >> 1] ?? 0;
  // One of a handful of categories: as frequent as the rest, or nearly so.
  if (others.length <= 30 && own > 2 && own >= middle * 0.2) return true;
  // "pending" is a state where it comes again and again among a few others.
  if (kind === "unsure" && others.length <= 30 && own >= 20) return true;
  if (isNamedLikeStep(value) && isOneOfFew(column, index)) return true;
  if (isOppositeOfOne(column, value)) return true;
  if (kind === "repeated" && (isOneOfAll(column, index) || areColors(column))) return true;
  if (kind === "unsure" && isNameAmongMany(column, value)) return true;
  if (kind === "signs" && isListOfNone(column, value)) return true;
  return isCodeLikeOthers(column, value, kind);
}

/** Among thousands of surnames, somebody is called Blank; what is written otherwise than they are is none of them. */
function isNameAmongMany({ values }: ObservedColumn, value: string): boolean {
  if (values.length < least.names || !/^\p{Lu}\p{Ll}+$/u.test(value)) return false;
  const shape = shapeOf(value);
  return values.filter((other) => shapeOf(other) === shape).length > values.length * 0.5;
}

/** Unavailable beside available, and unknown beside known, is one of two states. */
function isOppositeOfOne({ values }: ObservedColumn, value: string): boolean {
  const [, opposite] = /^(?:un|not )(\p{L}{3,})$/u.exec(value.trim().toLowerCase()) ?? [];
  return opposite !== undefined && values.some((other) => other.trim().toLowerCase() === opposite);
}

/** Where a handful of words each come again, one of them that comes again is a state like the others, however rare. */
function isOneOfFew({ values, counts }: ObservedColumn, index: number): boolean {
  const comesAgain = (at: number) => (counts[at] ?? 0) >= least.ofState;
  return values.length <= most.states && comesAgain(index) && [...values.keys()].every(comesAgain);
}

const least = {
  codes: 100,
  manyCodes: 1000,
  shortCodes: 20,
  ofState: 3,
  names: 1000,
  newYears: 3,
  ofNewYear: 5,
};
const most = { states: 12 };

/**
 * In capitals or not, as most others are; or as most of its length are, where these are so many that nearly any letters
 * may be one: NAN among the codes of provinces.
 */
function isCodeLikeOthers({ values }: ObservedColumn, value: string, kind: string): boolean {
  const longest = kind === "sure" ? 3 : 4;
  const letters = [/^\p{Lu}+$/u, /^\p{Ll}+$/u, /^\p{Lu}\p{Ll}$/u].find((all) => all.test(value));
  if (value.length > longest || letters === undefined) return false;
  const asLong = values.filter((other) => other.length === value.length);
  const alike = asLong.filter((other) => letters.test(other)).length;
  if (alike > values.length * 0.5 || (alike >= least.codes && alike > asLong.length * 0.5)) return true;
  // Among so many codes of four letters, SAME is an airfield, however many others have digits.
  if (alike >= least.manyCodes) return true;
  // ND is North Dakota where there are dozens of such codes, whatever else there is.
  const about = values.filter((other) => Math.abs(other.length - value.length) <= 1 && letters.test(other));
  return kind === "unsure" && value.length <= 3 && about.length >= least.shortCodes;
}

/** Where codes of four digits are drawn from all there are, 0000 and 9999 are drawn, too. */
function isOneOfAll({ values, counts }: ObservedColumn, index: number): boolean {
  const value = values[index] ?? "";
  if (!/^\d+$/.test(value)) return false;
  const alike = [...values.keys()].filter(
    (other) => values[other]?.length === value.length && /^\d+$/.test(values[other] ?? ""),
  );
  const usual = alike.map((other) => counts[other] ?? 0).toSorted((a, b) => a - b)[alike.length >> 1] ?? 0;
  return alike.length > 10 ** value.length * 0.005 && (counts[index] ?? 0) <= usual * 3;
}

/** `[]` among lists, and `{}` among objects, has nothing in it. */
const isListOfNone = ({ values }: ObservedColumn, value: string): boolean =>
  /^(\[\s*\]|\{\s*\})$/.test(value.trim()) &&
  values.filter((other) => other.trim()[0] === value.trim()[0]).length > values.length * 0.5;

/** FFFFFF is white. */
const areColors = ({ values }: ObservedColumn): boolean =>
  values.filter((value) => /^#?[\da-f]{6}([\da-f]{2})?$/i.test(value)).length > values.length * 0.9 &&
  values.some((value) => /[a-f]/i.test(value));

function usualShapes({ values, counts }: ObservedColumn, besides: ReadonlySet<number>): Set<string> {
  const rows = new Map<string, number>();
  let all = 0;
  for (const [index, value] of values.entries()) {
    if (besides.has(index)) continue;
    const shape = shapeOf(value);
    rows.set(shape, (rows.get(shape) ?? 0) + (counts[index] ?? 0));
    all += counts[index] ?? 0;
  }
  return new Set([...rows].filter(([, count]) => count >= all * 0.05).map(([shape]) => shape));
}

function numbersIn(
  table: ObservedTable,
  column: ObservedColumn,
  isMeant: (index: number) => boolean,
): Candidate[] {
  const { numbers } = column;
  if (!numbers) return [];
  const mayBe = (value: number, index: number) => (isSentinel(value) || value === 0) && !isMeant(index);
  return sentinelsIn(table, column, numbers, mayBe, (value, others) => {
    // A zero is a number like others, unless these keep away from it.
    const away = others[0]?.value ?? 0;
    if (value === 0) return away > 0 && away > ((others.at(-1)?.value ?? 0) - away) * 0.5 ? 0.4 : 0;
    return Math.abs(value) < 1000 && value !== -1 ? 0.6 : 0.9;
  });
}

function momentsIn(
  table: ObservedTable,
  column: ObservedColumn,
  isUsual: (index: number) => boolean,
): Candidate[] {
  const { moments } = column;
  const mayBe = (value: number, index: number) =>
    isSentinelDay(value) && !isUsual(index) && !isOneOfNewYears(column, index);
  return moments ? sentinelsIn(table, column, moments, mayBe, () => 0.9) : [];
}

/** Where only the year is known, 1 January stands for each of several years, and not for none. */
function isOneOfNewYears({ values, counts }: ObservedColumn, index: number): boolean {
  const isNewYear = (at: number) => /^\d{4}-01-01/.test(values[at] ?? "");
  const own = counts[index] ?? 0;
  const others = [...values.keys()].filter(
    (at) => at !== index && isNewYear(at) && (counts[at] ?? 0) >= own / 2,
  );
  return isNewYear(index) && own >= least.ofNewYear && others.length >= least.newYears;
}

/** Those of the values that may stand for nothing, and that lie apart from the others or stand out among them. */
function sentinelsIn(
  table: ObservedTable,
  column: ObservedColumn,
  measures: Float64Array,
  mayBe: (value: number, index: number) => boolean,
  strengthOf: (value: number, others: readonly Measured[]) => number,
): Candidate[] {
  const suspects = [...measures.keys()].filter((index) => mayBe(measures[index] ?? Number.NaN, index));
  if (suspects.length === 0 || suspects.length > 20) return [];
  const sorted = (besides: (index: number) => boolean): Measured[] =>
    [...measures.keys()]
      .filter((index) => !besides(index) && !Number.isNaN(measures[index]))
      .map((index) => ({ value: measures[index] ?? 0, rows: column.counts[index] ?? 0 }))
      .toSorted((a, b) => a.value - b.value);
  const others = sorted((index) => suspects.includes(index));
  const all = sorted(() => false);
  const nines = column.numbers !== null && likeNines(others);
  return suspects.flatMap((index) => {
    const value = measures[index] ?? 0;
    const strength = strengthOf(value, others);
    const isOnlyNegative = column.numbers && value < 0 && (others[0]?.value ?? -1) >= 0;
    const apart = Math.max(apartness(value, others), isOnlyNegative ? 0.4 : 0);
    const at = all.findIndex((other) => other.value === value);
    const spike = nines || (value === 0 && column.numbers) ? 0 : spikeOf(at, all);
    const isSpike = spike >= 5 && (column.counts[index] ?? 0) >= 5;
    if (strength === 0 || isTooMuch(column, [index]) || (apart < 0.1 && !isSpike)) return [];
    if (others.length <= 8 && apart < 0.5) return [];
    return [
      candidateOf(table, column, [index], { strength, apart, spike: isSpike ? Math.min(1, spike / 50) : 0 }),
    ];
  });
}

const isTooMuch = (column: ObservedColumn, indexes: readonly number[]) =>
  rowsOfValues(column, indexes) > filledRows(column) * mostShare;

/** Whether the name says that something ends: what has not ended yet often has a date far off. */
const isNamedLikeEnd = (name: string) =>
  wordsOf(name).some((word) =>
    ["end", "ends", "until", "to", "thru", "till", "expires", "expiry", "valid"].includes(word),
  );

function candidateOf(
  table: ObservedTable,
  column: ObservedColumn,
  indexes: readonly number[],
  { strength, apart = 0, spike = 0, fits = 0 }: Strength,
): Candidate {
  const { features, ...against } = valuesAgainst(table, column, indexes);
  const values = indexes.slice(0, 3).map((index) => quoted(column.values[index] ?? ""));
  const more = indexes.length > 3 ? " and the like" : "";
  return {
    kind: "DisguisedMissing",
    ...against,
    statement: `${rowsOf(against.rows.length, against.outOf)} of ${table.tableName} ${have(against.rows.length)} ${values.join(", ")}${more} as ${column.name}, which looks like a placeholder for a missing value.`,
    rule: null,
    features: {
      ...features,
      strength,
      apart,
      spike,
      fits,
      isText: Number(column.kind === "text"),
      isEnd: Number(isNamedLikeEnd(column.name)),
    },
  };
}
