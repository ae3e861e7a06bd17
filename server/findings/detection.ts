import type { Candidate, ObservedDatabase } from "./candidate.ts";
import { detectors } from "./detectors/detectors.ts";
import { disguisedMissing } from "./detectors/disguised-missing.ts";
import { duplicates } from "./detectors/duplicate.ts";
import { formats } from "./detectors/format.ts";
import { variants } from "./detectors/variant.ts";
import { findingsIn, findingsOf, judgedIn } from "./find.ts";
import type { Judged, Merged } from "./merge.ts";
import type { Reason } from "./teach/reason.ts";
import { reasonsIn } from "./teach/reasons.ts";
import { judgedBefore } from "./teach/taught-findings.ts";

/** What travels between the service and the process that detects: tables by their places, since copies are other objects. */
export type SentFinding = SentJudged & { support: readonly SentJudged[] };
export type SentJudged = { candidate: Omit<Candidate, "table"> & { table: number }; confidence: number };

/** A database, and the places of the tables that are looked at; the others only say what is usual beside them. */
export type Detection = {
  database: ObservedDatabase;
  places: readonly number[];
  /** Whether what each detector has found is sent at once, for those who may not wait for the last one. */
  sendsParts: boolean;
  /** The places of the tables whose cells someone has answered questions about, or is about to. */
  explained: readonly number[];
};

/** What one detector has found, or, in the end, what all have found together. */
export type Message = { part: SentJudged[] } | { all: SentFinding[]; reasons: Reason[][] };

/** What is wrong with the tables, ready to be sent. Pure. */
export function* detected({ database, places, sendsParts, explained }: Detection): Generator<Message> {
  const tables = database.tables.filter((_, place) => places.includes(place));
  const found: Judged[] = [];
  for (const detect of sendsParts ? quickestFirst : []) {
    const part = judgedIn(database, [detect], tables);
    found.push(...part);
    yield { part: part.map((each) => sent(each, database)) };
  }
  const merged = sendsParts ? findingsOf(found) : findingsIn(database, tables);
  yield {
    all: merged.map(({ support, ...best }) => ({
      ...sent(best, database),
      support: support.map((each) => sent(each, database)),
    })),
    reasons: explained.map((place) => {
      const table = database.tables[place];
      return table ? reasonsIn(table, judgedBefore(merged)) : [];
    }),
  };
}

/** What compares texts with texts takes longest. */
const slow = [variants, disguisedMissing, duplicates, formats];
const quickestFirst = [...detectors.filter((each) => !slow.includes(each)), ...slow];

/** What is known when not all detectors have answered. Throws like `received`. */
export const receivedInPart = (parts: readonly SentJudged[], database: ObservedDatabase): Merged[] =>
  findingsOf(parts.map((each) => judged(each, database)));

function sent(
  { candidate: { table, ...candidate }, confidence }: Judged,
  { tables }: ObservedDatabase,
): SentJudged {
  return { candidate: { ...candidate, table: tables.indexOf(table) }, confidence };
}

/** The findings of the tables that were sent. Throws Error for a place where no table is. */
export function received(found: readonly SentFinding[], database: ObservedDatabase): Merged[] {
  return found.map(({ support, ...best }) => ({
    ...judged(best, database),
    support: support.map((each) => judged(each, database)),
  }));
}

function judged({ candidate, confidence }: SentJudged, { tables }: ObservedDatabase): Judged {
  const table = tables[candidate.table];
  if (!table) throw new Error(`No table ${candidate.table} was sent`);
  return { candidate: { ...candidate, table }, confidence };
}
