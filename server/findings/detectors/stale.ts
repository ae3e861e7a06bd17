import { figure, plural, withArticle } from "../../text.ts";
import type { Candidate, Detector, ObservedDatabase, Timeline } from "../candidate.ts";
import { wordsOf } from "../names.ts";
import { mostPeriods, periodAt, timelineOf, unitFor } from "../timeline.ts";
import { type Rhythm, rhythmOf } from "./rhythm.ts";

const day = 86_400_000;
/** Silence is this much longer than any before, and no longer than this part of the table's life: else it ended. */
const limits = { silence: 3, ofLife: 0.5 };

/** A table that no rows come into any more, by its own rhythm, while they do into tables that are loaded alike. */
export const stale: Detector = (table, database) => {
  const rhythm = rhythmOf(table, database.now);
  if (!rhythm || !table.isWhole) return [];
  const others = database.tables
    .filter((each) => each !== table)
    .flatMap((each) => rhythmOf(each, database.now) ?? []);
  const alike = others.filter((other) => isAlike(rhythm, other));
  const reference = referenceOf(rhythm, alike, others, database);
  const alive = alike.filter(
    ({ newest, longestGap, period }) => reference - newest <= longestGap + 2 * period,
  );
  const silence = reference - rhythm.newest;
  const life = rhythm.newest - rhythm.first;
  const isSilent = silence > limits.silence * (rhythm.longestGap + rhythm.period);
  if (!isSilent || silence > life * limits.ofLife) return [];
  if (alive.length === 0 ? reference !== database.now : alive.length < alike.length / 2) return [];
  return [described(table, rhythm, { reference, silence, life, alike: alike.length, alive: alive.length })];
};

/** Loaded at the same pace, by a column of the same meaning, side by side for a while. */
const isAlike = (one: Rhythm, other: Rhythm) =>
  one.period === other.period &&
  one.isNamed === other.isNamed &&
  other.first < one.newest - 10 * one.period &&
  one.first < other.newest;

/** The newest moment among those alike; the clock only where several tables come near it. A dump of last year is not stale. */
function referenceOf(
  rhythm: Rhythm,
  alike: readonly Rhythm[],
  others: readonly Rhythm[],
  { now }: ObservedDatabase,
): number {
  const near = others.filter(({ newest, longestGap }) => now - newest <= longestGap + 2 * day);
  if (near.length >= 2) return now;
  return alike.reduce((latest, { newest }) => Math.max(latest, newest), rhythm.newest);
}

const archives = new Set(
  "archive archived backup bak old legacy history hist deprecated tmp temp test copy".split(" "),
);

function described(
  table: Candidate["table"],
  { column, first, newest, longestGap, period, isNamed }: Rhythm,
  found: { reference: number; silence: number; life: number; alike: number; alive: number },
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
      `until then it was never longer than ${durationText(longestGap)}${beside}.`,
    rule: {
      type: "Freshness",
      configuration: { column: column.name, maxAgeMinutes: Math.ceil((2 * longestGap + period) / 60_000) },
    },
    features: {
      silence: Math.min(1, Math.log10(found.silence / longestGap) / 2),
      recent: 1 - Math.min(1, found.silence / found.life),
      alive: found.alive / (found.alive + 2),
      aliveShare: found.alike === 0 ? 0 : found.alive / found.alike,
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
