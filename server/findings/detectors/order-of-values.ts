import type { ObservedTable } from "../../profile/observed-table.ts";
import { calendarOrder, isPeriod } from "../calendar.ts";
import type { Candidate } from "../candidate.ts";
import { have, rowsOf } from "../doubted.ts";
import { explainedBy, isAtTheEnd } from "../explained.ts";
import {
  isIdentifier,
  isLastChange,
  type Measured,
  measuredColumns,
  medianOf,
  rankCorrelation,
  rarityOf,
} from "../measured.ts";
import { wordsOf } from "../names.ts";
import { confirmedShare } from "./equations.ts";

/** Two columns of which one is not above the other, in nearly all rows that have both. */
type Order = {
  lower: Measured;
  upper: Measured;
  filled: number;
  /** Rows where both are the same, and not 0. */
  equal: number;
  against: Int32Array;
  /** How much of the rows would be out of order if the two had nothing to do with each other. */
  byChance: number;
};

/** An order is believed when this many rows have both, and hardly any is against it. */
const least = { rows: 30, against: 0.02, byChance: 0.03 };

/** Rows where what comes first is later than what comes last, or the least is above the most. */
export function disorderIn(table: ObservedTable): Candidate[] {
  const orders = ordersOf(table);
  return tightest(orders).map((order) => described(table, order, orders));
}

function ordersOf(table: ObservedTable): Order[] {
  const columns = measuredColumns(table).filter(
    (each) => each.column.values.length >= 3 && (each.isMoment || !isIdentifier(each)),
  );
  const found: Order[] = [];
  for (const [index, left] of columns.entries())
    for (const right of columns.slice(index + 1)) {
      if (left.isMoment !== right.isMoment) continue;
      const order = orderOf(left, right);
      if (order && arePeriods(table, order)) continue;
      if (order && isLastChange(order.upper.column) && isToCome(order.lower)) continue;
      if (order && isMirrored(order)) continue;
      if (order && (isConfirmed(table, order) || isLastChange(order.lower.column))) continue;
      if (order && (left.isMoment || isMeant(order))) found.push(order);
    }
  return found;
}

/** The ends of a calendar's weeks and years: which comes first changes from year to year. */
function arePeriods(table: ObservedTable, { lower, upper }: Order): boolean {
  const calendar = calendarOrder(table);
  return calendar !== null && [lower, upper].every(({ column }) => isPeriod(column, calendar));
}

/**
 * What is paid back is below zero, and the whole of it farther below than its parts are: most of the rows below zero are in the
 * other order. Of temperatures, which are below zero, too, hardly any are.
 */
function isMirrored({ lower, upper, against }: Order): boolean {
  if (lower.isMoment) return false;
  const isBelow = (row: number) => (lower.rows[row] ?? 0) < 0 && (upper.rows[row] ?? 0) < 0;
  const below = against.filter(isBelow).length;
  const all = [...lower.rows.keys()].filter(isBelow).length;
  return below >= against.length * mirrored.ofAgainst && below >= all * mirrored.ofBelow;
}
const mirrored = { ofAgainst: 0.9, ofBelow: 0.5 };

/** A credit note has a net amount above its gross one, and both agree with its tax. */
const isConfirmed = (table: ObservedTable, { lower, upper, against }: Order): boolean =>
  !lower.isMoment && confirmedShare(table, [lower.column.name, upper.column.name], against) > 0.5;

function orderOf(left: Measured, right: Measured): Order | null {
  let [filled, above, below, equal] = [0, 0, 0, 0];
  for (let row = 0; row < left.rows.length; row++) {
    const [a, b] = [left.rows[row] ?? Number.NaN, right.rows[row] ?? Number.NaN];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    filled++;
    if (isSame(a, b)) equal += Number(a !== 0);
    else if (a > b) above++;
    else below++;
  }
  const [lower, upper] = above < below ? [left, right] : [right, left];
  const count = Math.min(above, below);
  if (filled < least.rows || count === 0 || count > Math.max(1, filled * least.against)) return null;
  const byChance = disorderByChance(lower, upper);
  // Two spans that hardly touch are in order by themselves; and an order says something when it is much better kept.
  if (byChance < least.byChance || count > (byChance * filled) / 5) return null;
  const against: number[] = [];
  for (const [row, measure] of lower.rows.entries())
    if (measure > (upper.rows[row] ?? Number.NaN) && !isSame(measure, upper.rows[row] ?? 0))
      against.push(row);
  if (isMatterOfGrain(lower, upper, against) || isOfOneDay(lower, upper, against.length)) return null;
  if (isOfAnotherZone(lower, upper, against)) return null;
  return { lower, upper, filled, equal, against: Int32Array.from(against), byChance };
}

/** But for what rounding makes of a number. */
const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= Math.abs(a) * 1e-12;

/** Of rows that are paired at random. */
function disorderByChance(lower: Measured, upper: Measured): number {
  const length = lower.rows.length;
  const tries = Math.min(4000, length * 4);
  let [paired, above] = [0, 0];
  for (let index = 0; index < tries; index++) {
    const a = lower.rows[(index * 7919) % length] ?? Number.NaN;
    const b = upper.rows[(index * 104_729 + Math.floor(index / length) * 31 + 17) % length] ?? Number.NaN;
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    paired++;
    if (a > b) above++;
  }
  return paired === 0 ? 0 : above / paired;
}

const day = 86_400_000;
const isMidnights = ({ column }: Measured) => column.moments?.every((moment) => moment % day === 0) ?? false;

/** A day counts as its midnight, which is before every moment of the same day. */
function isMatterOfGrain(lower: Measured, upper: Measured, against: readonly number[]): boolean {
  if (!lower.isMoment || isMidnights(lower) || !isMidnights(upper)) return false;
  return against.some((row) => (lower.rows[row] ?? 0) - (upper.rows[row] ?? 0) < day);
}

/**
 * The day of a moment is before it because midnight is. Where hardly any row has an earlier day, the rows that are against
 * it tell of an order the other way round: what came in later is kept under the day when it came.
 */
function isOfOneDay(lower: Measured, upper: Measured, against: number): boolean {
  if (!lower.isMoment || !isMidnights(lower) || isMidnights(upper)) return false;
  let earlier = 0;
  for (const [row, measure] of lower.rows.entries())
    if (measure + day <= (upper.rows[row] ?? Number.NaN)) earlier++;
  return earlier < against * 5;
}

/** East of Greenwich the day begins so much earlier, at most. */
const farthestZone = day * (14 / 24);

/** A day by the clock of a place begins before its midnight in UTC: what is against the order is no farther away than that. */
const isOfAnotherZone = (lower: Measured, upper: Measured, against: readonly number[]): boolean =>
  lower.isMoment &&
  isMidnights(lower) &&
  !isMidnights(upper) &&
  against.every((row) => (lower.rows[row] ?? 0) - (upper.rows[row] ?? 0) <= farthestZone);

/**
 * Numbers of two kinds are in order by chance: quantities are below prices. Two of a kind are named as such, or are
 * often the same and rise together.
 */
function isMeant({ lower, upper, equal, filled }: Order): boolean {
  if (isNamedInOrder(lower.column.name, upper.column.name)) return true;
  if (areOfOneSeries(lower.column.name, upper.column.name)) return false;
  const share = equal / filled;
  const isVaried = Math.min(lower.column.values.length, upper.column.values.length) >= 15;
  if (share >= 0.98) return false;
  const correlation = rankCorrelation(lower, upper);
  // What is often all of what was asked for, and hardly ever more, is a part of it.
  const isPart = isVaried && share >= 0.2 && correlation >= 0.3;
  return isPart || (share >= (isVaried ? 0.05 : 0.5) && correlation >= 0.7);
}

/** `v14` and `v23`, `school_1` and `school_k`: the same again at another place or time, which is more or less as it comes. */
function areOfOneSeries(one: string, other: string): boolean {
  const stemOf = (name: string) => name.replace(/\d+$/, "");
  if (stemOf(one) === stemOf(other)) return true;
  return one.length === other.length && one.length > 3 && one.slice(0, -1) === other.slice(0, -1);
}

const opposites: readonly (readonly [lower: string, upper: string])[] = [
  ...([
    ["min", "max"],
    ["minimum", "maximum"],
    ["low", "high"],
    ["lower", "upper"],
    ["lowest", "highest"],
  ] as const),
  ...([
    ["net", "gross"],
    ["from", "to"],
    ["start", "end"],
    ["begin", "end"],
    ["first", "last"],
  ] as const),
  ...([
    ["cost", "price"],
    ["created", "updated"],
    ["created", "modified"],
    ["created", "deleted"],
  ] as const),
  ...([
    ["started", "ended"],
    ["started", "finished"],
    ["started", "completed"],
    ["begun", "ended"],
  ] as const),
  ...([
    ["opened", "closed"],
    ["open", "close"],
    ["ordered", "shipped"],
    ["shipped", "delivered"],
  ] as const),
  ...([
    ["order", "ship"],
    ["order", "delivery"],
    ["ordered", "delivered"],
    ["received", "requested"],
  ] as const),
  ...([
    ["birth", "death"],
    ["born", "died"],
    ["birth", "hire"],
    ["departure", "arrival"],
  ] as const),
  ...([
    ["departed", "arrived"],
    ["checkin", "checkout"],
    ["in", "out"],
    ["valid", "expires"],
  ] as const),
  ...([
    ["issued", "expires"],
    ["issue", "expiry"],
    ["rental", "return"],
    ["pickup", "dropoff"],
  ] as const),
];

function isNamedInOrder(lower: string, upper: string): boolean {
  const [low, up] = [new Set(wordsOf(lower)), new Set(wordsOf(upper))];
  return opposites.some(([below, above]) => low.has(below) && up.has(above));
}

const plans = new Set(
  "due required expected planned scheduled promised target deadline estimated estimate eta budget forecast".split(
    " ",
  ),
);
const isPlan = ({ column }: Measured) => wordsOf(column.name).some((word) => plans.has(word));

const ends = new Set("ends end until expires expiry valid from starts start effective publish".split(" "));
/** What may be in the future when the row is written. */
const isToCome = (each: Measured) => isPlan(each) || wordsOf(each.column.name).some((word) => ends.has(word));

/**
 * Of three columns that are in order, the first and the last are so already because the middle one is between: what
 * is out of order there is seen beside the middle one.
 */
function tightest(orders: readonly Order[]): Order[] {
  const between = (order: Order) =>
    orders
      .filter((a) => a.lower === order.lower && a !== order)
      .flatMap((a) =>
        orders.filter((b) => a.upper === b.lower && b.upper === order.upper).map((b) => [a, b] as const),
      );
  return orders.filter((order) =>
    between(order).every(([a, b]) => {
      const seen = new Set([...a.against, ...b.against]);
      return !order.against.every((row) => seen.has(row));
    }),
  );
}

/** The one that is out of order beside a third column, too, in the same rows; both where there is no third. */
function doubtedOf(order: Order, orders: readonly Order[]): string[] {
  const rows = order.against.join();
  const other = orders.find(
    (each) =>
      each !== order &&
      each.against.join() === rows &&
      [each.lower, each.upper].filter((column) => column === order.lower || column === order.upper).length ===
        1,
  );
  const both = [order.lower, order.upper];
  const shared = other ? both.filter((column) => column === other.lower || column === other.upper) : both;
  return shared.map(({ column }) => column.name);
}

function described(table: ObservedTable, order: Order, orders: readonly Order[]): Candidate {
  const { lower, upper, against, filled } = order;
  const [low, high] = [lower.column.name, upper.column.name];
  const said = lower.isMoment ? `${low} after ${high}` : `${low} above ${high}`;
  return {
    kind: "Impossible",
    table,
    columns: doubtedOf(order, orders),
    rows: against,
    condition: {
      ...{ is: "greater", left: low, right: high },
      ...(lower.isMoment && areTexts(order) && { areMoments: true }),
    },
    outOf: filled,
    statement: `${rowsOf(against.length, filled)} of ${table.tableName} ${have(against.length)} ${said}; no other row does.`,
    rule: null,
    features: {
      rarity: rarityOf(against.length, filled),
      few: 1 / against.length,
      byChance: order.byChance,
      equal: order.equal / filled,
      sharp: sharpness(order),
      far: distance(order),
      named: Number(isNamedInOrder(low, high)),
      planned: Number(isPlan(lower) || isPlan(upper)),
      isMoment: Number(lower.isMoment),
      explained: explainedBy(table, against, [low, high])?.share ?? 0,
      isAtEnd: Number(isAtTheEnd(table, against)),
    },
    evidence: {},
  };
}

const areTexts = ({ lower, upper }: Order) => lower.column.kind === "text" && upper.column.kind === "text";

const gapsOf = ({ lower, upper }: Order, rows: Iterable<number>) =>
  [...rows].map((row) => (upper.rows[row] ?? Number.NaN) - (lower.rows[row] ?? Number.NaN));

/**
 * Whether the order ends where rows are many, as a law does, or where few are left anyhow, as a habit does: parcels
 * that come late are the end of the many that come just in time.
 */
function sharpness(order: Order): number {
  const reach = -medianOf(gapsOf(order, order.against));
  const near = gapsOf(order, order.lower.rows.keys()).filter((gap) => gap >= 0 && gap <= reach).length;
  return near === 0 ? 0 : 1 - Math.min(1, order.against.length / near);
}

/** How large the gaps are that are the wrong way round, beside the usual ones: 0.5 when they are the same. */
function distance(order: Order): number {
  const wrong = -medianOf(gapsOf(order, order.against));
  const right = medianOf(gapsOf(order, order.lower.rows.keys()).filter((gap) => gap >= 0));
  return wrong / (wrong + right);
}
