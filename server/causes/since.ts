import { filledRows, type ObservedColumn } from "../profile/observed-column.ts";
import type { Observed } from "./find-segments.ts";
import type { SegmentCounts } from "./segment.ts";
import { isBeyondChance, surpriseOf } from "./surprise.ts";

/** The failing rows since a moment, by the column that tells most; null if they are no more than chance would give. */
export type Since = {
  at: Date;
  column: string;
  counts: SegmentCounts;
  /** How well it fits as the moment from which rows fail, from 0 to 1, beside the one that fits best. */
  fit: number;
} | null;

/** Columns that do not say when rows came, such as due dates, have values to come. */
const futureMs = 86_400_000;
/** Moments whose likelihood is this much less (in nats) fit as well as the best: where exactly it is, is not known better. */
const tolerance = 3;

/**
 * Whether rows fail since some moments, by each column of the table that says when rows came. Of a moment after which many
 * rows came that did not fail, or before which as many failed, the fit is low: the likelihood of two rates, one before and one
 * after it, beside that of the best moment. null if no column says when rows came. Pure.
 */
export function countSince(
  { all, failing }: Observed,
  moments: readonly Date[],
  { about, now = Date.now() }: { about: readonly string[]; now?: number },
): Since[] | null {
  const columns = all.columns.flatMap((column, place) => {
    const other = failing.columns[place];
    const tells =
      other?.moments &&
      column.moments &&
      !about.includes(column.name) &&
      !column.name.includes(".") &&
      filledRows(column) >= 0.9 * all.rowCount &&
      column.moments.every((at) => !(at > now + futureMs));
    return tells ? [column] : [];
  });
  if (columns.length === 0 || failing.rowCount === 0) return null;
  const times = all.isWhole ? 1 : Math.max(1, all.totalRows / Math.max(1, all.rowCount));
  const looks = columns.length * Math.max(1, moments.length);
  const steps = columns.map((column) => ({
    column,
    step: stepOf(column, failing.columns[all.columns.indexOf(column)] as ObservedColumn, times),
  }));
  return moments.map((at) => {
    const found = steps
      .map(({ column, step }) => ({ at, column: column.name, ...step(at.getTime()) }))
      .sort((one, other) => surpriseOf(other.counts) - surpriseOf(one.counts))[0];
    return found && isBeyondChance(found.counts, looks) ? found : null;
  });
}

/** What a column says of a moment. */
function stepOf(all: ObservedColumn, failing: ObservedColumn, times: number) {
  const byMoment = new Map<number, { rows: number; failing: number }>();
  const add = ({ moments, counts }: ObservedColumn, which: "rows" | "failing", weight: number) => {
    for (const [place, moment] of (moments ?? []).entries()) {
      if (Number.isNaN(moment)) continue;
      const known = byMoment.get(moment) ?? { rows: 0, failing: 0 };
      known[which] += (counts[place] ?? 0) * weight;
      byMoment.set(moment, known);
    }
  };
  add(all, "rows", times);
  add(failing, "failing", 1);
  const ordered = [...byMoment].sort(([one], [other]) => other - one);
  const total = { rows: 0, failing: 0 };
  for (const [, counts] of ordered) {
    total.rows += counts.rows;
    total.failing += counts.failing;
  }
  /** From the latest on: each moment with the rows since then. */
  const since: { moment: number; rows: number; failing: number; likelihood: number }[] = [];
  const running = { rows: 0, failing: 0 };
  for (const [moment, counts] of ordered) {
    running.rows += counts.rows;
    running.failing += counts.failing;
    since.push({ moment, ...running, likelihood: likelihoodOf(running, total) });
  }
  const best = since.reduce((most, { likelihood }) => Math.max(most, likelihood), Number.NEGATIVE_INFINITY);
  return (at: number) => {
    // The first moment since then: the last of the list that is not before it.
    let [low, high] = [0, since.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((since[middle]?.moment ?? 0) >= at) low = middle + 1;
      else high = middle;
    }
    const found = since[low - 1];
    const counts: SegmentCounts = {
      failing: Math.round(found?.failing ?? 0),
      rows: Math.round(found?.rows ?? 0),
      allFailing: Math.round(total.failing),
      allRows: Math.round(total.rows),
    };
    const fit = found ? Math.min(1, Math.exp(found.likelihood - best + tolerance)) : 0;
    return { counts, fit };
  };
}

type Counts = { rows: number; failing: number };

/** Of one rate since a moment and another before it (binomial, in nats); of one rate for all if the later one is no greater. */
function likelihoodOf(since: Counts, total: Counts): number {
  const before = { rows: total.rows - since.rows, failing: total.failing - since.failing };
  const isGreater = since.failing * Math.max(before.rows, 1) > before.failing * since.rows;
  return isGreater ? ofRate(since) + ofRate(before) : ofRate(total);
}

function ofRate({ rows, failing }: Counts): number {
  const all = Math.max(rows, failing);
  const sound = all - failing;
  return (
    (failing > 0 ? failing * Math.log(failing / all) : 0) + (sound > 0 ? sound * Math.log(sound / all) : 0)
  );
}
