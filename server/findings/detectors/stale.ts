import type { ObservedTable } from "../../profile/observed-table.ts";
import { figure, plural, withArticle } from "../../text.ts";
import type { Candidate, Detector, ObservedDatabase, Timeline } from "../candidate.ts";
import { wordsOf } from "../names.ts";
import { mostPeriods, periodAt, timelineOf, unitFor } from "../timeline.ts";
import { ends, type Rhythm, regrouped, rhythmOf, usualSlots } from "./rhythm.ts";

const day = 86_400_000;
/**
 * Silence is no longer than this part of the table's life: else it ended. It is longer than any before, counted in loads
 * of others that this table did not follow: twice as many and so many more, and thrice as many by the clock alone.
 */
const limits = { ofLife: 0.5, more: 3, others: 2, clock: 3, together: 10, follows: 0.8 };

/** A table that no rows come into any more, while they do into tables that are loaded alike. */
export const stale: Detector = (table, database) => {
  const rhythm = rhythmOf(table, database.now);
  if (!rhythm || !table.isWhole) return [];
  const others = database.tables
    .filter((each) => each !== table)
    .map((each) => ({ each, other: rhythmOf(each, database.now) }))
    .flatMap(({ each, other }) => (other ? [{ each, other }] : []));
  if (others.some(({ each, other }) => succeeds(rhythm, table, other, each))) return [];
  const followed = others.flatMap(({ other }) => missedOf(rhythm, other) ?? []);
  const stopped = others.filter(({ other }) => stoppedWith(rhythm, other));
  const ahead = followed.filter(({ missed, before }) => missed >= limits.others * before + limits.more);
  const clock = clockOf(
    rhythm,
    others.map(({ other }) => other),
    database,
  );
  const isLate = clock !== null && clock.missed >= limits.clock * clock.before + limits.more;
  if (!isLate && (ahead.length === 0 || ahead.length < stopped.length)) return [];
  const best = ahead.toSorted((a, b) => b.missed / (b.before + 1) - a.missed / (a.before + 1))[0] ?? clock;
  if (!best) return [];
  const reference = Math.max(best.reference, isLate ? database.now : 0);
  const [silence, life] = [reference - rhythm.newest, rhythm.newest - rhythm.first];
  if (silence > life * limits.ofLife) return [];
  const found = {
    ...best,
    ...{ reference, silence, life, isLate },
    ...{ alive: ahead.length, followed: ahead.length + stopped.length },
  };
  return [described(table, rhythm, found)];
};

type Missed = {
  /** Loads that this table did not follow since its newest row, and most of them in a row before. */
  missed: number;
  before: number;
  /** How many of those before it did follow. */
  follows: number;
  /** Until when, in milliseconds since 1970. */
  reference: number;
};

/** How far another table has gone on, where this one used to have rows when that one had; null where it did not. */
function missedOf(rhythm: Rhythm, other: Rhythm): Missed | null {
  const least = Math.max(rhythm.period, other.period);
  // What comes in most hours, but in none for sure, comes every day.
  return mostMissed(least, (period) => {
    const theirs = regrouped(other, period);
    return compared(regrouped(rhythm, period), period, (at) => theirs.has(at), ends(theirs));
  });
}

/** By the hour, or by the day where that says more. */
function mostMissed(least: number, at: (period: number) => Missed | null): Missed | null {
  const found = [...new Set([least, Math.max(least, day)])].flatMap((period) => at(period) ?? []);
  return found.toSorted((a, b) => b.missed / (b.before + 1) - a.missed / (a.before + 1))[0] ?? null;
}

/** Loaded at least as often, it ended with this one. */
const stoppedWith = (rhythm: Rhythm, other: Rhythm): boolean =>
  other.period <= rhythm.period &&
  Math.abs(other.newest - rhythm.newest) <= rhythm.longestGap &&
  other.first < rhythm.newest;

/** As if a table were loaded all the time: where several come near the clock. A dump of last year is not stale. */
function clockOf(rhythm: Rhythm, others: readonly Rhythm[], { now }: ObservedDatabase): Missed | null {
  const near = others.filter(({ newest, longestGap }) => now - newest <= longestGap + 2 * day);
  if (near.length < 2) return null;
  // What comes by day may come late in the day.
  return mostMissed(rhythm.period, (period) =>
    compared(regrouped(rhythm, period), period, () => true, [0, Math.floor(now / period) - 1]),
  );
}

function compared(
  own: ReadonlyMap<number, number>,
  period: number,
  isLoaded: (at: number) => boolean,
  [from, to]: readonly [number, number],
): Missed | null {
  const isUsual = usualSlots(own, period);
  const [first, last] = ends(own);
  let [both, all, run, before, missed] = [0, 0, 0, 0, 0];
  for (let at = Math.max(first, from); at <= last; at++) {
    if (!isUsual(at) || !isLoaded(at)) continue;
    all++;
    run = own.has(at) ? 0 : run + 1;
    both += Number(own.has(at));
    before = Math.max(before, run);
  }
  if (all < limits.together || both < all * limits.follows) return null;
  for (let at = last + 1; at <= to; at++) if (isUsual(at) && isLoaded(at)) missed++;
  return { missed, before, follows: both / all, reference: to * period };
}

/** The same columns, from where this one ends on: a table for each year. */
function succeeds(rhythm: Rhythm, table: ObservedTable, other: Rhythm, next: ObservedTable): boolean {
  const wait = rhythm.longestGap + 8 * rhythm.period;
  return (
    table.columns.length === next.columns.length &&
    table.columns.every(({ name }, index) => next.columns[index]?.name === name) &&
    Math.abs(other.first - rhythm.newest) <= wait
  );
}

const archives = new Set(
  "archive archived backup bak old legacy history hist deprecated tmp temp test copy".split(" "),
);

type Found = Missed & { silence: number; life: number; alive: number; followed: number; isLate: boolean };

function described(
  table: ObservedTable,
  { column, first, newest, longestGap, period, isNamed }: Rhythm,
  found: Found,
): Candidate {
  const last = new Date(newest)
    .toISOString()
    .slice(0, period < day ? 16 : 10)
    .replace("T", " ");
  const words = wordsOf(table.tableName);
  const beside = found.alive > 0 ? `; ${plural(found.alive, "table")} loaded alike went on` : "";
  return {
    kind: "Stale",
    table,
    columns: [column.name],
    rows: new Int32Array(0),
    condition: null,
    outOf: table.rowCount,
    statement:
      `No row of ${table.tableName} has ${withArticle(column.name)} after ${last}, ${durationText(found.silence)} of silence; ` +
      (found.silence > longestGap
        ? `until then it was never longer than ${durationText(longestGap)}${beside}.`
        : `until then it followed ${figure(Math.round(found.follows * 100))} % of the loads of tables that went on.`),
    rule: {
      type: "Freshness",
      configuration: { column: column.name, maxAgeMinutes: Math.ceil((2 * longestGap + period) / 60_000) },
    },
    features: {
      beyond: Math.min(1, Math.log10((found.missed + 1) / (limits.others * found.before + 2)) / 1.3),
      recent: 1 - Math.min(1, found.silence / (found.life * limits.ofLife)),
      alive: found.alive / (found.alive + 2),
      aliveShare: found.followed === 0 ? 0 : found.alive / found.followed,
      follows: found.follows,
      late: Number(found.isLate),
      named: Number(isNamed),
      archive: Number(words.some((word) => archives.has(word) || /^(19|20)\d\d/.test(word))),
    },
    evidence: { since: last, timeline: silenceIn(column, { first, newest, reference: found.reference }) },
  };
}

/** As much before the silence as after its beginning, in periods of which few enough are silent. */
function silenceIn(
  column: Rhythm["column"],
  { first, newest, reference }: { first: number; newest: number; reference: number },
): Timeline {
  const unit = unitFor(reference - newest, mostPeriods / 2);
  const last = periodAt(newest, unit);
  const places = {
    ...{ from: periodAt(first, unit), to: periodAt(reference, unit) },
    ...{ doubtedFrom: last + 1, doubtedTo: periodAt(reference, unit) },
  };
  return timelineOf(column, unit, places, (at) => ({ isInDoubt: at > last }));
}

function durationText(milliseconds: number): string {
  const hours = Math.round(milliseconds / 3_600_000);
  return hours < 48 ? plural(hours, "hour") : `${figure(Math.round(hours / 24))} days`;
}
