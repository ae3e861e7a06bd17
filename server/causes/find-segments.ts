import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { densestRun, orderedColumn } from "./runs.ts";
import type { Part, Segment, SegmentCounts } from "./segment.ts";
import { isBeyondChance, surpriseOf } from "./surprise.ts";

/** The rows of a table, or some from all over it, and of those that fail, with the same columns. */
export type Observed = { all: ObservedTable; failing: ObservedTable };

type Options = {
  /** Columns that a failure is about: that a missing value is missing explains nothing. */
  about: readonly string[];
  /** Whether a value may be shown. */
  mayShow(column: string, value: string): boolean;
};

/**
 * A segment holds at least this many failing rows, and this share of them, and tells so much of them (in nats): half of
 * them where a quarter would be usual is 0.14, a quarter where a sixth would be is 0.03. A second part must tell so much more than the
 * first alone. Segments whose rows are this much the same are one.
 */
const least = { rows: 5, share: 0.2, surprise: 0.1, gain: 1.1, alike: 0.95 };
/** How many segments of one part are combined with others, and how many are found at most. */
const max = { combined: 12, found: 8 };

/** A segment with the rows that are in it. */
type Found = Segment & {
  counts: SegmentCounts;
  surprise: number;
  /** How many segments were looked at to find it. */
  looks: number;
  inAll: Uint8Array;
  inFailing: Uint8Array;
};

/**
 * The segments that hold most failing rows and few others, best first: single values, missing values, and stretches of
 * time of every column, and pairs of these. What chance would give as well is left out, and so is one of which another
 * tells more: a pair with it, or all of its rows. Empty with fewer than five failing rows. Pure.
 */
export function findSegments(observed: Observed, options: Options): (Segment & { counts: SegmentCounts })[] {
  const { all, failing } = observed;
  if (failing.rowCount < least.rows || all.rowCount === 0) return [];
  const columns = all.columns.flatMap((column, place) => {
    const other = failing.columns[place];
    return other && !options.about.includes(column.name) ? [{ all: column, failing: other }] : [];
  });
  const singles = withoutRepeats(singlesIn(observed, columns, options));
  const pairs = singles
    .slice(0, max.combined)
    .flatMap((single) => pairsWith(single, observed, columns, options));
  const ranked = withoutRepeats([...singles, ...pairs]);
  return withoutExplained(ranked, ranked[0]?.looks ?? 1)
    .slice(0, max.found)
    .map(({ parts, counts }) => ({ parts, counts: scaled(counts, observed) }));
}

type Pair = { all: ObservedColumn; failing: ObservedColumn };

/** Everything that one column tells about failing rows, among some rows or all. */
function singlesIn(
  { all, failing }: Observed,
  columns: readonly Pair[],
  { mayShow }: Options,
  within: Found | null = null,
): Found[] {
  const rows = {
    all: rowsOf(all.rowCount, within?.inAll),
    failing: rowsOf(failing.rowCount, within?.inFailing),
  };
  const totals = { allFailing: rows.failing.length, allRows: rows.all.length };
  if (totals.allFailing < least.rows) return [];
  const wanted: { part: Part; holds: Holds; counts: SegmentCounts }[] = [];
  let looks = 0;
  const hasMoments = columns.some((column) => column.all.moments !== null);
  for (const column of columns) {
    if (within?.parts.some((part) => part.column === column.all.name)) continue;
    const inAll = countsIn(column.all, rows.all);
    const inFailing = countsIn(column.failing, rows.failing);
    looks += inFailing.size;
    for (const [value, failing] of inFailing) {
      if (failing < Math.max(least.rows, totals.allFailing * least.share)) continue;
      if (value !== null && !mayShow(column.all.name, value)) continue;
      const part: Part =
        value === null
          ? { column: column.all.name, is: "Missing" }
          : { column: column.all.name, is: "Value", value };
      const counts = { failing, rows: inAll.get(value) ?? 0, ...totals };
      wanted.push({ part, holds: valueIs(column, value), counts });
    }
    const ordered = orderedColumn(column.all, column.failing);
    // A key tells when rows came only if nothing else does.
    if (!ordered || (column.all.moments === null && hasMoments)) continue;
    const run = densestRun(ordered, rows);
    if (!run || !mayShow(column.all.name, column.all.values[0] ?? "")) continue;
    looks += run.looks;
    const holds: Holds = {
      all: (row) => run.holds(ordered.ofAll(row)),
      failing: (row) => run.holds(ordered.ofFailing(row)),
    };
    const counts = {
      failing: rows.failing.filter(holds.failing).length,
      rows: rows.all.filter(holds.all).length,
      ...totals,
    };
    if (counts.failing >= Math.max(least.rows, totals.allFailing * least.share))
      wanted.push({ part: run.part, holds, counts });
  }
  return wanted
    .filter(({ counts }) => surpriseOf(counts) >= least.surprise && isBeyondChance(counts, looks))
    .map(({ part, holds, counts }) => ({
      parts: [part],
      ...{ counts, surprise: surpriseOf(counts), looks },
      inAll: flags(all.rowCount, rows.all, holds.all),
      inFailing: flags(failing.rowCount, rows.failing, holds.failing),
    }));
}

type Holds = { all(row: number): boolean; failing(row: number): boolean };

/** What a second column adds to a segment, where it adds something. */
function pairsWith(single: Found, observed: Observed, columns: readonly Pair[], options: Options): Found[] {
  const { allFailing, allRows } = single.counts;
  return singlesIn(observed, columns, options, single).flatMap((second) => {
    const counts = {
      ...{ failing: second.counts.failing, rows: second.counts.rows },
      ...{ allFailing, allRows },
    };
    const surprise = surpriseOf(counts);
    if (counts.failing < allFailing * least.share || surprise < single.surprise * least.gain) return [];
    return [{ ...second, parts: [...single.parts, ...second.parts], counts, surprise }];
  });
}

/** Best first; of segments with nearly the same rows, the simplest stays, and of these the one that tells most. */
function withoutRepeats(found: readonly Found[]): Found[] {
  const simplest = found.toSorted(
    (one, other) => one.parts.length - other.parts.length || other.surprise - one.surprise,
  );
  const kept: Found[] = [];
  for (const each of simplest) if (!kept.some((other) => areAlike(each, other))) kept.push(each);
  return kept.sort((one, other) => other.surprise - one.surprise);
}

function areAlike(one: Found, other: Found): boolean {
  return (
    overlap(one.inFailing, other.inFailing) >= least.alike && overlap(one.inAll, other.inAll) >= least.alike
  );
}

/** How much of what is in either is in both. */
function overlap(one: Uint8Array, other: Uint8Array): number {
  let [both, either] = [0, 0];
  for (let row = 0; row < one.length; row++) {
    const [a, b] = [one[row] ?? 0, other[row] ?? 0];
    both += a & b;
    either += a | b;
  }
  return either === 0 ? 1 : both / either;
}

/**
 * Those that tell something of failing rows which those before them do not hold: what is said once is not said again in
 * other words, and what only goes along with a cause is none.
 */
function withoutExplained(ranked: readonly Found[], looks: number): Found[] {
  const kept: Found[] = [];
  for (const each of ranked) {
    const isNew = (row: number, of: "inAll" | "inFailing") => kept.every((other) => other[of][row] !== 1);
    const [inAll, inFailing] = [
      countNew(each.inAll, (row) => isNew(row, "inAll")),
      countNew(each.inFailing, (row) => isNew(row, "inFailing")),
    ];
    const counts: SegmentCounts = {
      ...{ failing: inFailing.inside, allFailing: inFailing.all },
      ...{ rows: inAll.inside, allRows: inAll.all },
    };
    if (kept.length === 0 || (counts.failing >= least.rows && isBeyondChance(counts, looks))) kept.push(each);
  }
  return kept;
}

function countNew(part: Uint8Array, isNew: (row: number) => boolean): { inside: number; all: number } {
  let [inside, all] = [0, 0];
  for (let row = 0; row < part.length; row++) {
    if (!isNew(row)) continue;
    all++;
    if (part[row] === 1) inside++;
  }
  return { inside, all };
}

/** How many of some rows have each value; null is the key of those without one. */
function countsIn(column: ObservedColumn, rows: readonly number[]): Map<string | null, number> {
  const counts = new Int32Array(column.values.length + 1);
  for (const row of rows) {
    const index = column.rows[row] ?? -1;
    const place = index < 0 ? column.values.length : index;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const found = new Map<string | null, number>();
  for (const [place, count] of counts.entries())
    if (count > 0) found.set(column.values[place] ?? null, count);
  return found;
}

function valueIs({ all, failing }: Pair, value: string | null): Holds {
  const test = (column: ObservedColumn) => {
    const wanted = value === null ? -1 : column.values.indexOf(value);
    // A value that none of the rows has is not one that is missing.
    if (value !== null && wanted < 0) return () => false;
    return (row: number) => column.rows[row] === wanted;
  };
  return { all: test(all), failing: test(failing) };
}

function rowsOf(count: number, within: Uint8Array | undefined): number[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (!within || within[row] === 1) rows.push(row);
  return rows;
}

function flags(count: number, rows: readonly number[], holds: (row: number) => boolean): Uint8Array {
  const found = new Uint8Array(count);
  for (const row of rows) if (holds(row)) found[row] = 1;
  return found;
}

/** For the whole table, where only some of its rows were read. */
function scaled({ rows, allRows, ...failing }: SegmentCounts, { all }: Observed): SegmentCounts {
  const times = all.isWhole || allRows === 0 ? 1 : Math.max(1, all.totalRows / allRows);
  return { ...failing, rows: Math.round(rows * times), allRows: Math.round(allRows * times) };
}
