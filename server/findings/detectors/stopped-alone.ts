import type { ObservedTable } from "../../profile/observed-table.ts";
import type { ObservedDatabase } from "../candidate.ts";
import { dayOffAt } from "../days-off.ts";
import { loadColumnOf } from "../load-column.ts";
import { medianOf } from "../measured.ts";
import { periodAt, startOf, type Unit } from "../timeline.ts";
import { type Rhythm, regrouped, withoutStrays } from "./rhythm.ts";
import { type Known, type Missed, ofBefore, type Stopped } from "./stopped.ts";
import { missedSince, mostMissed } from "./stopped-beside.ts";

const day = 86_400_000;
/**
 * Nothing but its own history tells, so it must be longer, and the silence shorter: what was loaded for some weeks may
 * have been meant to end. What went on for longer than this part of its life ended, and what came ever less ebbed away.
 */
const limits = { ofLife: 1 / 3, silence: 2 * day, ebb: 0.4, future: 0.01, clock: 3 };
const least: Record<Unit, { life: number; more: number }> = {
  Hour: { life: 60 * day, more: 24 },
  Day: { life: 120 * day, more: 5 },
  Week: { life: 210 * day, more: 3 },
  Month: { life: 330 * day, more: 2 },
};
/**
 * Arrivals with a rhythm of their own, such as each fortnight or quarter, are never much further apart than usual. Where
 * they hardly differ, fewer are needed, and silence may be shorter; else, many rows come at once, as loads do: what comes
 * one by one comes when it happens.
 */
const steady = {
  // Farther apart than so many usual gaps, the first or last few rows are dates that someone mistyped.
  stray: 40,
  arrivals: 20,
  apart: 4,
  rows: 3,
  silence: 3,
  even: { arrivals: 10, apart: 1.6, rows: 1, silence: 2 },
};
/** Of a column that does not say when rows came, what it tells may come late, and always as late. */
const unnamed = 2;

/**
 * Whether a table stopped by its own rhythm alone: by the hours, days, weeks or months in which rows nearly always came,
 * or by the time between two of its loads. Null where others say that the database is a copy from then. Pure.
 */
export function stoppedAlone(
  table: ObservedTable,
  rhythm: Rhythm | null,
  { tables, now, isCopy }: ObservedDatabase,
): (Stopped & { known: Known }) | null {
  if (isCopy) return null;
  const beside = newestBeside(table, tables, now);
  const known = rhythm ? { known: rhythm, missed: bySlots(rhythm, now) } : byArrivals(table, now);
  const byGaps = rhythm ? byArrivals(table, now) : null;
  const found = [known, byGaps].flatMap((each) => (each?.missed ? [{ ...each, missed: each.missed }] : []));
  const best = found.toSorted((a, b) => ofBefore(b.missed) - ofBefore(a.missed))[0];
  if (!best) return null;
  const { first, newest, column } = best.known;
  const [silence, life] = [now - newest, newest - first];
  if (silence > life * limits.ofLife || isPlan(column, now)) return null;
  if (beside !== null && beside <= newest + Math.max(best.known.longestGap, 2 * day)) return null;
  return {
    ...{ ...best.missed, known: best.known, reference: now, silence, life },
    ...{ alive: 0, followed: 0, isLate: true, isAlone: true },
  };
}

function bySlots(rhythm: Rhythm, now: number): Missed | null {
  const { unit, first, newest, isNamed } = rhythm;
  const { life, more } = least[unit];
  if (newest - first < life || now - newest < limits.silence) return null;
  if (isEbbing([...regrouped(rhythm, unit)].sort(([a], [b]) => a - b).map(([, rows]) => rows))) return null;
  const isWork = (at: number, by: Unit) => (by !== "Hour" && by !== "Day") || !dayOffAt(startOf(at, by));
  const missed = mostMissed(unit, (by) =>
    missedSince(regrouped(rhythm, by), by, (at) => isWork(at, by), [0, periodAt(now, by) - 1]),
  );
  const needed = (before: number) => (limits.clock * before + more) * (isNamed ? 1 : unnamed);
  return missed && missed.missed >= needed(missed.before) ? missed : null;
}

/** By days with rows, where those are some days apart. */
function byArrivals(table: ObservedTable, now: number): { known: Known; missed: Missed | null } | null {
  const loads = loadColumnOf(table);
  if (!loads) return null;
  const { column, isNamed } = loads;
  const rowsByDay = new Map<number, number>();
  for (const [index, moment] of column.moments?.entries() ?? []) {
    if (Number.isNaN(moment) || moment > now + day) continue;
    const at = periodAt(moment, "Day");
    rowsByDay.set(at, (rowsByDay.get(at) ?? 0) + (column.counts[index] ?? 0));
  }
  const all = [...rowsByDay.keys()].sort((a, b) => a - b);
  const far = medianOf(gapsBetween(all)) * steady.stray;
  const days = withoutStrays(all, rowsByDay, far);
  const gaps = gapsBetween(days);
  const [usual, longest] = [medianOf(gaps), Math.max(...gaps)];
  const isEven = longest <= usual * steady.even.apart;
  const { arrivals, apart, rows, silence } = isEven ? steady.even : steady;
  if (days.length < arrivals || usual < 2 || longest > usual * apart) return null;
  const [first, last] = [(days[0] ?? 0) * day, (days.at(-1) ?? 0) * day];
  const perDay = days.map((at) => rowsByDay.get(at) ?? 0);
  if (last - first < least.Day.life || medianOf(perDay) < rows || isEbbing(perDay)) return null;
  const since = (periodAt(now, "Day") * day - last) / day;
  if (since <= longest * silence * (isNamed ? 1 : unnamed) + 2) return null;
  const missed = { missed: Math.floor(since / usual), before: 0, follows: 1, reference: now };
  const newest = newestOf(column, last);
  return { known: { column, isNamed, unit: "Day", first, newest, longestGap: longest * day }, missed };
}

const gapsBetween = (days: readonly number[]) => days.slice(1).map((at, index) => at - (days[index] ?? at));

/** The newest moment on the day that begins at `start`. */
function newestOf({ moments }: Known["column"], start: number): number {
  let newest = start;
  for (const moment of moments ?? []) if (moment < start + day && moment > newest) newest = moment;
  return newest;
}

/** Whether ever fewer rows came, until none did: that is an end, and no fault. */
function isEbbing(rows: readonly number[]): boolean {
  const last = rows.slice(-Math.max(3, Math.floor(rows.length / 10)));
  return medianOf(last) < medianOf(rows) * limits.ebb;
}

/** Whether it also has rows of times to come, and not only one or two that someone mistyped. */
function isPlan({ moments, counts, rows }: Known["column"], now: number): boolean {
  let planned = 0;
  for (const [index, moment] of moments?.entries() ?? [])
    if (moment > now + day) planned += counts[index] ?? 0;
  return planned > rows.length * limits.future;
}

const newestMoments = new WeakMap<ObservedTable, { now: number; newest: number }>();

/** The newest moment in other tables that is not to come; null where they have none. */
function newestBeside(table: ObservedTable, tables: readonly ObservedTable[], now: number): number | null {
  const others = tables.filter((each) => each !== table).map((each) => newestIn(each, now));
  const newest = Math.max(...others, Number.NEGATIVE_INFINITY);
  return newest === Number.NEGATIVE_INFINITY ? null : newest;
}

function newestIn(table: ObservedTable, now: number): number {
  const before = newestMoments.get(table);
  if (before?.now === now) return before.newest;
  let newest = Number.NEGATIVE_INFINITY;
  for (const { moments } of table.columns)
    for (const moment of moments ?? []) if (moment <= now && moment > newest) newest = moment;
  newestMoments.set(table, { now, newest });
  return newest;
}
