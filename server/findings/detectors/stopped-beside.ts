import { lengthOf, longerOf, periodAt, startOf, type Unit } from "../timeline.ts";
import { ends, type Rhythm, regrouped, usualSlots } from "./rhythm.ts";
import { type Missed, ofBefore, type Stopped } from "./stopped.ts";

const day = 86_400_000;
/**
 * Silence is no longer than this part of the table's life, less of what comes by the month: else it ended. It is longer than any before, counted in loads
 * of others that this table did not follow: twice as many and so many more, and thrice as many by the clock alone.
 */
export const limits = {
  ofLife: 0.5,
  ofMonths: 1 / 3,
  more: 3,
  others: 2,
  clock: 3,
  together: 10,
  follows: 0.8,
};

/** Whether tables went on that this one used to follow, or that are loaded as if all the time. Pure. */
export function stoppedBeside(rhythm: Rhythm, others: readonly Rhythm[], now: number): Stopped | null {
  const followed = others.flatMap((other) => missedOf(rhythm, other, now) ?? []);
  const stopped = others.filter((other) => stoppedWith(rhythm, other));
  const ahead = followed.filter(({ missed, before }) => missed >= limits.others * before + limits.more);
  const clock = clockOf(rhythm, others, now);
  const isLate = clock !== null && clock.missed >= limits.clock * clock.before + limits.more;
  if (!isLate && (ahead.length === 0 || ahead.length < stopped.length)) return null;
  const best = ahead.toSorted((a, b) => ofBefore(b) - ofBefore(a))[0] ?? clock;
  if (!best) return null;
  const reference = Math.max(best.reference, isLate ? now : 0);
  const [silence, life] = [reference - rhythm.newest, rhythm.newest - rhythm.first];
  if (silence > life * (rhythm.unit === "Month" ? limits.ofMonths : limits.ofLife)) return null;
  return {
    ...best,
    ...{ reference, silence, life, isLate, isAlone: false },
    ...{ alive: ahead.length, followed: ahead.length + stopped.length },
  };
}

/** How far another table has gone on, where this one used to have rows when that one had; null where it did not. */
function missedOf(rhythm: Rhythm, other: Rhythm, now: number): Missed | null {
  // What comes in most hours, but in none for sure, comes every day.
  return mostMissed(longerOf(rhythm.unit, other.unit), (unit) => {
    const theirs = regrouped(other, unit);
    const [from, to] = ends(theirs);
    return missedSince(regrouped(rhythm, unit), unit, (at) => theirs.has(at), [
      from,
      // What is to come tells nothing of what should have come.
      Math.min(to, periodAt(now, unit)),
    ]);
  });
}

/** By the hour, or by the day where that says more. */
export function mostMissed(least: Unit, at: (unit: Unit) => Missed | null): Missed | null {
  const found = [...new Set([least, longerOf(least, "Day")])].flatMap((unit) => at(unit) ?? []);
  return found.toSorted((a, b) => ofBefore(b) - ofBefore(a))[0] ?? null;
}

/** Loaded at least as often, it ended with this one. */
export const stoppedWith = (rhythm: Rhythm, other: Rhythm): boolean =>
  lengthOf(other.unit) <= lengthOf(rhythm.unit) &&
  Math.abs(other.newest - rhythm.newest) <= Math.max(rhythm.longestGap, lengthOf(rhythm.unit)) &&
  other.first < rhythm.newest;

/** As if a table were loaded all the time: where several come near the clock. A dump of last year is not stale. */
function clockOf(rhythm: Rhythm, others: readonly Rhythm[], now: number): Missed | null {
  const near = others.filter(({ newest, longestGap }) => now - newest <= longestGap + 2 * day);
  if (near.length < 2) return null;
  // Some hours after the newest rows of all, nothing is late: that is when the database was copied, or what feeds it all rests.
  const until = Math.min(
    now,
    Math.max(...near.map(({ newest }) => newest)) + (rhythm.unit === "Hour" ? 0 : day),
  );
  // What comes by day may come late in the day.
  return mostMissed(rhythm.unit, (unit) =>
    missedSince(regrouped(rhythm, unit), unit, () => true, [0, periodAt(until, unit) - 1]),
  );
}

/** The usual periods in which a table had no rows, of those in which it is said to be loaded; null where it has no usual ones. */
export function missedSince(
  own: ReadonlyMap<number, number>,
  unit: Unit,
  isLoaded: (at: number) => boolean,
  [from, to]: readonly [number, number],
): Missed | null {
  const isUsual = usualSlots(own, unit);
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
  return { missed, before, follows: both / all, reference: startOf(to, unit) };
}
