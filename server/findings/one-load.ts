import { maskRows } from "../masking.ts";
import { valueAt } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { figure, plural, withArticle } from "../text.ts";
import type { Candidate, Timeline } from "./candidate.ts";
import { loadColumnOf } from "./load-column.ts";
import { momentText, periodAt, timelineOf, unitFor } from "./timeline.ts";

/**
 * Fewer doubted rows than these come together by chance. So much of them are in the load, and so much of the load is
 * doubted; and a load is no more than this part of the table.
 */
const limits = { rows: 5, inside: 0.9, ofLoad: 0.8, ofTable: 0.25 };

/** The rows that came one after the other, nearly all of which are doubted. */
type Load = {
  column: Candidate["table"]["columns"][number];
  /** In milliseconds since 1970. */
  from: number;
  to: number;
  isLast: boolean;
  /** How many rows came then, and how many of these are doubted. */
  rows: number;
  doubted: number;
};

/** Every finding of a table asks for the same order. */
const known = new WeakMap<ObservedTable, Dated | null>();

/** The rows of a table that say when they came, by when they came. */
type Dated = { column: Load["column"]; rows: Int32Array; momentOf(row: number): number };

/**
 * Says that the doubted rows came in one load, where they did and the rest of the column is fine: since when, and how
 * many rows that is. Any other candidate as it is. Pure.
 */
export function inOneLoad(candidate: Candidate): Candidate {
  const load = loadOf(candidate);
  if (!load) return candidate;
  const { column, from, to, isLast, rows, doubted } = load;
  const withTime = [from, to].some((moment) => moment % 86_400_000 !== 0);
  const [since, until] = [momentText(from, withTime), momentText(to, withTime)];
  const when = since === until ? `of ${since}` : isLast ? `since ${since}` : `from ${since} to ${until}`;
  const all = candidate.rows.length;
  const which =
    doubted < all
      ? `${figure(doubted)} of these are among the ${plural(rows, "row")}`
      : doubted < rows
        ? `These are ${figure(doubted)} of the ${plural(rows, "row")}`
        : `These are all ${plural(rows, "row")}`;
  return {
    ...candidate,
    statement: `${candidate.statement} ${which} with ${withArticle(column.name)} ${when}.`,
    evidence: { ...candidate.evidence, since, timeline: timelineAround(candidate, load) },
  };
}

function loadOf({ table, rows, columns }: Candidate): Load | null {
  if (rows.length < limits.rows) return null;
  const dated = datedRows(table);
  if (!dated || columns.includes(dated.column.name)) return null;
  const doubted = new Set(rows);
  const best = densest(dated, (row) => doubted.has(row));
  if (!best || best.doubted < Math.max(limits.rows, rows.length * limits.inside)) return null;
  if (best.rows > table.rowCount * limits.ofTable) return null;
  return { column: dated.column, ...best };
}

function datedRows(table: ObservedTable): Dated | null {
  const before = known.get(table);
  if (before !== undefined) return before;
  const found = loadColumnOf(table);
  const dated = found && datedBy(table, found.column);
  known.set(table, dated);
  return dated;
}

/** null where the moments are nobody's business: a date of birth is none of loading. */
function datedBy(table: ObservedTable, column: Load["column"]): Dated | null {
  const value = valueAt(
    column,
    column.rows.findIndex((index) => index >= 0),
  );
  if (value === null || maskRows({ columns: [column], rows: [[value]] }).rows[0]?.[0] !== value) return null;
  const momentOf = (row: number) => column.moments?.[column.rows[row] ?? -1] ?? Number.NaN;
  const rows = Int32Array.from({ length: table.rowCount }, (_, row) => row)
    .filter((row) => Number.isFinite(momentOf(row)))
    .sort((a, b) => momentOf(a) - momentOf(b));
  return { column, rows, momentOf };
}

/**
 * Where doubted rows lie densest in the order of time: the run of moments whose sum is greatest when each doubted row
 * counts for it, and each other one so much against it that a run with too many of those is worth nothing (Kadane).
 */
function densest(
  { rows, momentOf }: Dated,
  isDoubted: (row: number) => boolean,
): Omit<Load, "column"> | null {
  const against = limits.ofLoad / (1 - limits.ofLoad);
  let best: (Omit<Load, "column"> & { worth: number }) | null = null;
  let run = { worth: 0, from: 0, rows: 0, doubted: 0 };
  for (let at = 0; at < rows.length; ) {
    const moment = momentOf(rows[at] ?? 0);
    let [count, doubted] = [0, 0];
    for (; at < rows.length && momentOf(rows[at] ?? 0) === moment; at++) {
      count++;
      if (isDoubted(rows[at] ?? 0)) doubted++;
    }
    if (run.worth <= 0) run = { worth: 0, from: moment, rows: 0, doubted: 0 };
    run.worth += doubted - (count - doubted) * against;
    run.rows += count;
    run.doubted += doubted;
    if (run.worth > (best?.worth ?? 0)) best = { ...run, to: moment, isLast: at === rows.length };
  }
  return best;
}

/** In hours where the load took some of them in a table of a few days, else in days or weeks. */
function timelineAround({ table, rows }: Candidate, { column, from, to }: Load): Timeline {
  const dated = datedRows(table);
  const momentOf = (row: number) => dated?.momentOf(row) ?? Number.NaN;
  const [first, last] = [dated?.rows[0] ?? 0, dated?.rows.at(-1) ?? 0].map(momentOf) as [number, number];
  const unit = last - first <= 3 * 86_400_000 ? "Hour" : unitFor(Math.max(to - from, 2 * 86_400_000), 30);
  const doubted = new Map<number, number>();
  for (const row of rows) {
    const at = periodAt(momentOf(row), unit);
    doubted.set(at, (doubted.get(at) ?? 0) + 1);
  }
  const [doubtedFrom, doubtedTo] = [periodAt(from, unit), periodAt(to, unit)];
  return timelineOf(
    column,
    unit,
    { from: periodAt(first, unit), to: periodAt(last, unit), doubtedFrom, doubtedTo },
    (at) => ({ doubtedRows: doubted.get(at) ?? 0, isInDoubt: at >= doubtedFrom && at <= doubtedTo }),
  );
}
