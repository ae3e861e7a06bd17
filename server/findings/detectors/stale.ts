import type { ObservedTable } from "../../profile/observed-table.ts";
import { figure, plural, withArticle } from "../../text.ts";
import type { Candidate, Detector, Timeline } from "../candidate.ts";
import { wordsOf } from "../names.ts";
import { lengthOf, longerOf, momentText, mostPeriods, periodAt, timelineOf, unitFor } from "../timeline.ts";
import { type Rhythm, rhythmOf } from "./rhythm.ts";
import type { Known, Stopped } from "./stopped.ts";
import { stoppedAlone } from "./stopped-alone.ts";
import { limits, stoppedBeside, stoppedWith } from "./stopped-beside.ts";

/** A table that no rows come into any more, while they do into tables that are loaded alike, or though they always did. */
export const stale: Detector = (table, database) => {
  if (!table.isWhole) return [];
  const rhythm = rhythmOf(table, database.now);
  const others = database.tables
    .filter((each) => each !== table)
    .map((each) => ({ each, other: rhythmOf(each, database.now) }))
    .flatMap(({ each, other }) => (other ? [{ each, other }] : []));
  if (rhythm && others.some(({ each, other }) => succeeds(rhythm, table, other, each))) return [];
  const rhythms = others.map(({ other }) => other);
  const beside = rhythm && stoppedBeside(rhythm, rhythms, database.now);
  if (beside) return [described(table, rhythm, beside)];
  // What ended together was ended, or the copy is from then.
  if (rhythm && rhythms.some((other) => stoppedWith(rhythm, other))) return [];
  const alone = stoppedAlone(table, rhythm, database);
  return alone ? [described(table, alone.known, alone)] : [];
};

/** The same columns, from where this one ends on: a table for each year. */
function succeeds(rhythm: Rhythm, table: ObservedTable, other: Rhythm, next: ObservedTable): boolean {
  const wait = rhythm.longestGap + 8 * lengthOf(rhythm.unit);
  return (
    table.columns.length === next.columns.length &&
    table.columns.every(({ name }, index) => next.columns[index]?.name === name) &&
    Math.abs(other.first - rhythm.newest) <= wait
  );
}

const archives = new Set(
  "archive archived backup bak old legacy history hist deprecated tmp temp test copy".split(" "),
);

function described(
  table: ObservedTable,
  { column, first, newest, longestGap, unit, isNamed }: Known,
  found: Stopped,
): Candidate {
  const last = momentText(newest, unit === "Hour");
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
        : found.isAlone
          ? `until then ${figure(Math.round(found.follows * 100))} % of the loads that were due came.`
          : `until then it followed ${figure(Math.round(found.follows * 100))} % of the loads of tables that went on.`),
    rule: {
      type: "Freshness",
      configuration: {
        column: column.name,
        maxAgeMinutes: Math.ceil((2 * longestGap + lengthOf(unit)) / 60_000),
      },
    },
    features: {
      beyond: Math.min(1, Math.log10((found.missed + 1) / (limits.others * found.before + 2)) / 1.3),
      recent: 1 - Math.min(1, found.silence / (found.life * limits.ofLife)),
      alive: found.alive / (found.alive + 2),
      aliveShare: found.followed === 0 ? 0 : found.alive / found.followed,
      follows: found.follows,
      late: Number(found.isLate && !found.isAlone),
      alone: Number(found.isAlone),
      named: Number(isNamed),
      archive: Number(words.some((word) => archives.has(word) || /^(19|20)\d\d/.test(word))),
    },
    evidence: {
      since: last,
      timeline: silenceIn(column, unit, { first, newest, reference: found.reference }),
    },
  };
}

/** As much before the silence as after its beginning, in periods of which few enough are silent. */
function silenceIn(
  column: Known["column"],
  rhythm: Known["unit"],
  { first, newest, reference }: { first: number; newest: number; reference: number },
): Timeline {
  const unit = longerOf(rhythm, unitFor(reference - newest, mostPeriods / 2));
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
