import { filledRows, type ObservedColumn, rowsWith } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { figure, withArticle } from "../../text.ts";
import { momentBetween, numberBetween } from "../bound-between.ts";
import type { Candidate, Detector, ObservedDatabase } from "../candidate.ts";
import type { Condition } from "../condition.ts";
import { have, quoted, rowsOf, withRows } from "../doubted.ts";
import { explainedBy, isAtTheEnd } from "../explained.ts";
import { boundsByName, isLandBelowSea, isNamedLikeCoordinate } from "../known-bounds.ts";
import { isIdentifier, measuredColumns } from "../measured.ts";
import { isNamedLikeKey } from "../names.ts";
import { type Gap, gapAbove, gapBelow, type Spread, spreadOf } from "../outliers.ts";
import { areForNothing, rowsForNothing } from "../rows-for-nothing.ts";
import { slippedDigits } from "../slipped-digits.ts";
import { usualElsewhere } from "../usual-elsewhere.ts";
import { beyondTheirGroup } from "./beyond-their-group.ts";
import { confirmedShare } from "./equations.ts";
import { isGapOfKeys } from "./gap-of-keys.ts";
import { writtenAsPointedTo } from "./parents.ts";

/** Fewer rows than these, or fewer different values, have no bulk to lie outside of. */
const least = { rows: 20, values: 8, ofBounded: 2 };

/** Numbers and moments far from all others, on the wrong side of zero, or impossible by what they mean. */
export const outOfRange: Detector = (table, database) => {
  const forNothing = rowsForNothing(table);
  return table.columns
    .flatMap((column) => {
      if (column.isPrimaryKey || filledRows(column) < least.rows) return [];
      const isKeyThere = writtenAsPointedTo(table, column, database);
      const isUsual = usualElsewhere(table, column, database);
      const isMeant = (row: number) => isKeyThere(column.rows[row] ?? -1) || isUsual(column.rows[row] ?? -1);
      return [
        ...notFinite(table, column),
        ...beyondTheRest(table, column, database),
        ...beyondTheirGroup(table, column),
      ].filter(({ rows }) => !rows.every(isMeant));
    })
    .map((found) => ({
      ...found,
      features: { ...found.features, isForNothing: Number(areForNothing(found.rows, forNothing)) },
    }));
};

/** `NaN` and the infinities, which no sum survives. */
function notFinite(table: ObservedTable, column: ObservedColumn): Candidate[] {
  if (!["float", "decimal"].includes(column.kind)) return [];
  const indexes = [...column.values.keys()].filter((index) => Number.isNaN(column.numbers?.[index]));
  const rows = rowsWith(column, indexes);
  if (rows.length === 0 || rows.length > table.rowCount * 0.1) return [];
  const values = indexes.map((index) => column.values[index] ?? "");
  return [
    {
      ...base(table, column, rows, indexes),
      condition: { is: "oneOf", column: column.name, values },
      statement: `${rowsOf(rows.length, filledRows(column))} of ${table.tableName} ${have(rows.length)} ${withArticle(column.name)} that is no finite number.`,
      rule: null,
      features: { ...noFeatures, isImpossible: 1 },
    },
  ];
}

function beyondTheRest(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
): Candidate[] {
  const spread = spreadOf(column);
  if (!spread) return [];
  const bounds = boundsByName(column, spread, database.now);
  if (spread.order.length < least.values) {
    // Of one to three pieces each, or one, there is no bulk, and yet there are no minus two.
    const below = spread.order.length >= least.ofBounded && bounds ? gapBelow(spread, bounds.min) : null;
    const above = isFarFromFew(spread, column) ? gapAbove(spread) : null;
    return [
      below?.isImpossible ? described(table, column, "below", below, spread, database) : null,
      above ? described(table, column, "above", above, spread, database) : null,
    ].filter((found) => found !== null);
  }
  return [
    described(
      table,
      column,
      "above",
      aboveOf(table, column, spread, gapAbove(spread, bounds?.max)),
      spread,
      database,
    ),
    described(
      table,
      column,
      "below",
      belowOf(column, spread, gapBelow(spread, bounds?.min)),
      spread,
      database,
    ),
  ].filter((found) => found !== null);
}

/** Of a handful of numbers each has so many rows, and one that hardly any row has is so many times as far as they reach. */
const fromFew = { rows: 20, share: 0.002, times: 10 };

/** 700 days, where everything else is rented for three to seven. */
function isFarFromFew(
  { order, measures, isMoment, rows }: Spread,
  { counts, name }: ObservedColumn,
): boolean {
  const [first = 0, beforeLast = 0, last = 0] = [measures[0], measures.at(-2), measures.at(-1)];
  const usual = order.slice(0, -1);
  const rare = counts[order.at(-1) ?? -1] ?? 0;
  return (
    !isMoment &&
    !isNamedLikeKey(name) &&
    usual.length >= 3 &&
    usual.every((index) => (counts[index] ?? 0) >= fromFew.rows) &&
    rare <= Math.max(1, rows * fromFew.share) &&
    last - beforeLast >= (beforeLast - first) * fromFew.times
  );
}

/**
 * Numbers that name things leave gaps wherever others were given away in between. One with digits too many is still a slip,
 * but where each is there once and it counts on.
 */
function aboveOf(table: ObservedTable, column: ObservedColumn, spread: Spread, gap: Gap | null): Gap | null {
  if (!gap || isOtherNumbering(column, gap) || isFarPlace(column, spread, gap)) return null;
  if (!isNumberOfThings(column)) return gap;
  const tellsApart = column.values.length === table.rowCount;
  return gap.nearest < gap.end * slipOfKey || (tellsApart && countsOn(spread, gap)) ? null : gap;
}

function belowOf(column: ObservedColumn, spread: Spread, gap: Gap | null): Gap | null {
  if (!gap || isFarPlace(column, spread, gap)) return null;
  // Some land lies below the sea, and little of it.
  if (gap.changesSign && isLandBelowSea(column.name, spread.measures[0] ?? 0)) return null;
  return isNumberOfThings(column) && gap.nearest > 0 && gap.nearest * slipOfKey > gap.end ? null : gap;
}

const isNumberOfThings = ({ moments, name }: ObservedColumn): boolean =>
  moments === null && isNamedLikeKey(name);

/**
 * Whether places are merely far from the others, as islands are: only those on the other side of the equator, or of
 * Greenwich, right where the others are on this one, have the wrong sign. East of 180 degrees, the numbers begin at -180.
 */
function isFarPlace({ name }: ObservedColumn, { measures }: Spread, gap: Gap): boolean {
  if (!isNamedLikeCoordinate(name) || gap.isImpossible) return false;
  const isAbove = gap.nearest > gap.end;
  const [doubted, usual] = isAbove
    ? [measures.subarray(gap.from), measures.subarray(0, gap.from)]
    : [measures.subarray(0, gap.from), measures.subarray(gap.from)];
  const [low = 0, high = 0] = [usual[0], usual.at(-1)];
  return !doubted.every((value) => -value >= low && -value <= high && Math.abs(value) < nearDateLine);
}
const nearDateLine = 150;

/** Whether what lies above counts on by itself, as 10,001 and 10,002 do: another series of numbers. */
function countsOn({ measures }: Spread, { from }: Gap): boolean {
  const above = measures.subarray(from);
  return above.length >= 2 && (above.at(-1) ?? 0) - (above[0] ?? 0) < above.length * 2;
}
const slipOfKey = 10;

/**
 * Codes of two systems: digits that slip are one or two, and not five, and no business counts up to millions of millions.
 * What a name does not call a code is one where it is as long.
 */
function isOtherNumbering({ kind, name }: ObservedColumn, { end, nearest }: Gap): boolean {
  if (kind !== "integer" || nearest < end * numbering.times) return false;
  return isNamedLikeKey(name) || (end >= numbering.usual && nearest >= numbering.other);
}
const numbering = { times: 1000, usual: 1e6, other: 1e12 };

/** So many of the rows that agree with their other columns are meant. */
const agreeing = 0.9;

const noFeatures = {
  gap: 0,
  beyondTail: 0,
  likeBulk: 0,
  slipped: 0,
  confirmed: 0,
  rarity: 0,
  isImpossible: 0,
  changesSign: 0,
  isFuture: 0,
  isKey: 0,
  explained: 0,
  isAtEnd: 0,
};

function described(
  table: ObservedTable,
  column: ObservedColumn,
  side: "above" | "below",
  gap: Gap | null,
  spread: Spread,
  database: ObservedDatabase,
): Candidate | null {
  if (!gap || (!spread.isMoment && isGapOfKeys(column, gap, database))) return null;
  const indexes = [...(side === "above" ? spread.order.slice(gap.from) : spread.order.slice(0, gap.from))];
  const rows = rowsWith(column, indexes);
  const usual = side === "above" ? spread.order.slice(0, gap.from) : spread.order.slice(gap.from);
  const [low, high] = [usual[0], usual.at(-1)].map((index) => column.values[index ?? -1] ?? "");
  const outOf = filledRows(column);
  const isMoment = spread.isMoment;
  const shown = shownIn(column, isMoment);
  const isWrittenAsNumber = isMoment && column.numbers !== null;
  // As the column has them: days may be written as numbers.
  const measureOf = (index: number | undefined) =>
    (column.numbers ?? column.moments)?.[index ?? -1] ?? Number.NaN;
  const beside = side === "above" ? [usual.at(-1), indexes[0]] : [usual[0], indexes.at(-1)];
  const [end = Number.NaN, nearest = Number.NaN] = beside.map(measureOf);
  const bound = (isMoment && !isWrittenAsNumber ? momentBetween : numberBetween)(end, nearest);
  const condition: Condition = { is: side, column: column.name, bound };
  const [one] = withRows(column, indexes);
  const what =
    rows.length === 1 && one
      ? `is ${shown(one.value)}`
      : `${side === "above" ? "go up to" : "go down to"} ${shown(extreme(column, side, indexes))}`;
  // What agrees with the other columns that it is reckoned from or with is no slip.
  const confirmed = isMoment
    ? 0
    : Math.max(
        confirmedShare(table, [column.name], rows),
        sameElsewhereShare(table, column, rows),
        end >= 0 && nearest < 0 ? creditShare(table, column, rows) : 0,
      );
  return {
    ...base(table, column, rows, indexes),
    condition,
    outOf,
    statement:
      rows.length === 1
        ? `The ${column.name} of 1 row of ${table.tableName} ${what}; all others are between ${shown(low ?? "")} and ${shown(high ?? "")}.`
        : `The ${column.name} of ${rowsOf(rows.length, outOf)} of ${table.tableName} ${what}; all others are between ${shown(low ?? "")} and ${shown(high ?? "")}.`,
    rule:
      (isMoment && !isWrittenAsNumber) || column.kind === "text"
        ? null
        : {
            type: "Range",
            configuration: { column: column.name, [side === "above" ? "max" : "min"]: bound },
          },
    features: {
      gap: Math.min(1, gap.ratio / 5),
      // Dates come in bunches, and not in tails.
      beyondTail: isMoment ? 0 : Math.min(1, Math.log10(1 + gap.beyondTail) / 3),
      likeBulk: gap.likeBulk,
      slipped: isMoment || side === "below" ? 0 : slippedDigits(column, indexes, usual),
      confirmed,
      rarity: Math.min(1, -Math.log10(rows.length / outOf) / 4),
      isImpossible: Number(gap.isImpossible),
      changesSign: Number(gap.changesSign || (gap.isImpossible && end >= 0 && nearest < 0)),
      isFuture: Number(isMoment && side === "above" && gap.nearest > database.now),
      isKey: Number(isNamedLikeKey(column.name)),
      // What cannot be is wrong in a whole load as well, unless the rest of the row says that it can.
      explained:
        gap.isImpossible && confirmed < agreeing ? 0 : (explainedBy(table, rows, [column.name])?.share ?? 0),
      isAtEnd: Number(isAtTheEnd(table, rows)),
    },
    evidence: {
      doubted: withRows(column, indexes),
      range: { low: low ?? "", high: high ?? "", median: column.values[spread.median] ?? "" },
    },
  };
}

/**
 * How many of the rows have another measure of the other sign, too, which hardly any others have: they are credits, or
 * returns. From 0 to 1.
 */
function creditShare(table: ObservedTable, column: ObservedColumn, rows: Int32Array): number {
  const doubted = new Set(rows);
  const shares = measuredColumns(table).map((other) => {
    if (other.column === column || other.isMoment || isIdentifier(other)) return 0;
    let [negative, elsewhere] = [0, 0];
    for (const [row, measure] of other.rows.entries())
      if (measure < 0) doubted.has(row) ? negative++ : elsewhere++;
    return elsewhere <= table.rowCount * mostElsewhere ? negative / rows.length : 0;
  });
  return Math.max(0, ...shares);
}
/** What is often below zero says nothing by it. */
const mostElsewhere = 0.1;

/** Two columns are the same in so much of the rows that have both, which are so many. */
const same = { rows: 50, share: 0.9 };

/** How many of the rows have the same number in another column, which nearly always has the same. From 0 to 1. */
function sameElsewhereShare(table: ObservedTable, column: ObservedColumn, rows: Int32Array): number {
  const measured = measuredColumns(table).filter(({ isMoment }) => !isMoment);
  const own = measured.find((each) => each.column === column);
  const shares = measured.map((other) => {
    if (!own || other === own || other.column.values.length < least.values) return 0;
    let [both, alike] = [0, 0];
    for (const [row, measure] of own.rows.entries()) {
      if (Number.isNaN(measure) || Number.isNaN(other.rows[row])) continue;
      both++;
      if (measure === other.rows[row]) alike++;
    }
    if (both < same.rows || alike < both * same.share) return 0;
    return rows.filter((row) => own.rows[row] === other.rows[row]).length / rows.length;
  });
  return Math.max(0, ...shares);
}

function base(table: ObservedTable, column: ObservedColumn, rows: Int32Array, indexes: readonly number[]) {
  return {
    kind: "OutOfRange" as const,
    table,
    columns: [column.name],
    rows,
    outOf: filledRows(column),
    evidence: { doubted: withRows(column, indexes) },
  };
}

function extreme(column: ObservedColumn, side: "above" | "below", indexes: readonly number[]): string {
  return column.values[(side === "above" ? indexes.at(-1) : indexes[0]) ?? -1] ?? "";
}

/** Amounts are grouped by thousands; numbers that name things, and days that are written as numbers, are not. */
const shownIn = (column: ObservedColumn, isMoment: boolean) => (value: string) =>
  !/^[-+]?\d+(\.\d+)?$/.test(value)
    ? quoted(value)
    : isMoment || isNamedLikeKey(column.name)
      ? value
      : figure(value);
