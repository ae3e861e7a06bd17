import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { figure } from "../text.ts";
import { partsInWords } from "./in-words.ts";
import type { Part, SegmentCounts } from "./segment.ts";
import { surpriseOf } from "./surprise.ts";

/** Which rows are missing, or too many, in a stretch of time, compared with the same stretch of the weeks before. */
export type Shift = {
  parts: Part[];
  /** Rows that came, and that usually come. */
  came: number;
  usual: number;
  /** As counts of rows: the difference in this segment, and what is usual of it. */
  counts: SegmentCounts;
};

export type Shifts = { shifts: Shift[]; came: number; usual: number };

const day = 86_400_000;
const least = { share: 0.2, surprise: 0.1, rows: 5, values: 50 };

/**
 * The values of columns, and the stretch of time, that hold most of the difference between the rows that came in a stretch
 * and those that came in the same stretch of up to four weeks before, or of the days before if there are no two weeks. null
 * if nothing is known of the time before. Pure.
 */
export function shiftsOf(
  table: ObservedTable,
  arrivalColumn: string,
  { from, until }: { from: Date; until: Date },
  mayShow: (column: string, value: string) => boolean,
): Shifts | null {
  const arrival = table.columns.find(({ name }) => name === arrivalColumn);
  if (!arrival?.moments) return null;
  const at = (row: number) => arrival.moments?.[arrival.rows[row] ?? -1] ?? Number.NaN;
  const length = until.getTime() - from.getTime();
  const stretches = stretchesBefore(arrival, from.getTime(), length);
  if (stretches.length === 0 || length <= 0) return null;
  const times = table.isWhole ? 1 : Math.max(1, table.totalRows / Math.max(1, table.rowCount));
  const now: number[] = [];
  const before: number[] = [];
  /** How far into its stretch a row came. */
  const offsets = new Map<number, number>();
  for (let row = 0; row < table.rowCount; row++) {
    const moment = at(row);
    if (Number.isNaN(moment)) continue;
    for (const [place, start] of [from.getTime(), ...stretches].entries()) {
      if (moment < start || moment >= start + length) continue;
      (place === 0 ? now : before).push(row);
      offsets.set(row, moment - start);
      break;
    }
  }
  const came = now.length * times;
  const usual = (before.length * times) / stretches.length;
  const total = Math.abs(came - usual);
  if (before.length === 0 || total < least.rows) return { shifts: [], came, usual };
  const sign = came < usual ? -1 : 1;
  const candidates: { part: Part; came: number; usual: number }[] = [];
  for (const column of table.columns) {
    if (column === arrival || column.moments || column.values.length > least.values) continue;
    const counted = [countsOf(column, now), countsOf(column, before)] as const;
    for (const value of new Set([...counted[0].keys(), ...counted[1].keys()])) {
      if (value !== null && !mayShow(column.name, value)) continue;
      const part: Part =
        value === null ? { column: column.name, is: "Missing" } : { column: column.name, is: "Value", value };
      candidates.push({
        part,
        came: (counted[0].get(value) ?? 0) * times,
        usual: ((counted[1].get(value) ?? 0) * times) / stretches.length,
      });
    }
  }
  const run = strongestRun(now, before, offsets, { weight: 1 / stretches.length, sign });
  if (run) {
    const bound = (offset: number) => new Date(from.getTime() + offset).toISOString();
    candidates.push({
      part: { column: arrivalColumn, is: "Between", from: bound(run.from), to: bound(run.to) },
      ...{ came: run.came * times, usual: run.usual * times },
    });
  }
  const shifts = candidates
    .map(({ part, ...each }) => {
      const difference = Math.max(0, sign * (each.came - each.usual));
      const counts: SegmentCounts = {
        failing: Math.min(difference, total),
        rows: each.usual,
        allFailing: total,
        allRows: usual,
      };
      return { parts: [part], ...each, counts };
    })
    .filter(({ counts, ...each }) => {
      // A count of independent arrivals differs so much by chance once in a hundred answers.
      const isBeyond =
        (each.came - each.usual) ** 2 > 2 * Math.log(candidates.length / 0.01) * (each.usual + 1);
      return isBeyond && counts.failing >= total * least.share && surpriseOf(counts) >= least.surprise;
    })
    .sort((one, other) => surpriseOf(other.counts) - surpriseOf(one.counts));
  return { shifts, came, usual };
}

/** Where the same stretch began in the weeks before, or in the days before; only where the table has rows that old. */
function stretchesBefore({ moments }: ObservedColumn, from: number, length: number): number[] {
  const oldest = (moments ?? new Float64Array()).reduce(
    (low, at) => (Number.isNaN(at) ? low : Math.min(low, at)),
    from,
  );
  const back = (step: number, most: number) =>
    Array.from({ length: most }, (_, index) => from - step * (index + 1)).filter((start) => start >= oldest);
  const weeks = length <= 7 * day ? back(7 * day, 4) : [];
  return weeks.length >= 2 ? weeks : back(Math.ceil(length / day) * day, 7);
}

function countsOf({ values, rows }: ObservedColumn, among: readonly number[]): Map<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const row of among) {
    const value = values[rows[row] ?? -1] ?? null;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** Sums of fractions differ by as much. */
const rounding = 1e-6;

/** The part of the stretch with the greatest difference between what came and what usually comes (Kadane's algorithm). */
function strongestRun(
  now: readonly number[],
  before: readonly number[],
  offsets: ReadonlyMap<number, number>,
  { weight, sign }: { weight: number; sign: number },
): { from: number; to: number; came: number; usual: number } | null {
  const byOffset = new Map<number, { came: number; usual: number }>();
  const add = (row: number, came: number, usual: number) => {
    const offset = offsets.get(row) ?? 0;
    const known = byOffset.get(offset) ?? { came: 0, usual: 0 };
    byOffset.set(offset, { came: known.came + came, usual: known.usual + usual });
  };
  for (const row of now) add(row, 1, 0);
  for (const row of before) add(row, 0, weight);
  const points = [...byOffset]
    .map(([offset, counts]) => ({ offset, ...counts }))
    .sort((one, other) => one.offset - other.offset);
  const none = { worth: 0, from: 0, to: 0, came: 0, usual: 0 };
  let [best, run] = [none, none];
  for (const { offset, came, usual } of points) {
    if (run.worth <= rounding) run = { ...none, from: offset };
    run = {
      ...run,
      to: offset,
      worth: run.worth + sign * (came - usual),
      came: run.came + came,
      usual: run.usual + usual,
    };
    if (run.worth > best.worth + rounding) best = run;
  }
  const whole = points.at(0)?.offset === best.from && points.at(-1)?.offset === best.to;
  return best.worth <= rounding || whole ? null : best;
}

/** `With source = legacy, 0 rows came; usually 412 do.` */
export const shiftInWords = ({ parts, came, usual }: Shift): string =>
  `With ${partsInWords(parts)}, ${figure(String(Math.round(came)))} rows came; usually ${figure(String(Math.round(usual)))} do.`;
