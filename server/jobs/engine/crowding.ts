/**
 * How many runs that wait for data sources a process takes at once.
 *
 * Most of them wait for an external database, and as many as allowed are no burden. If these databases respond
 * immediately, the runs are work for this process and its own database instead: then fewer keep both busy, and requests
 * wait for less that is in progress when they arrive (requests-first.ts).
 *
 * Runs that begin together share their statements (db/gathered.ts), so single places are not given away as they become
 * free: more begin when half a group fits, or a moment later.
 */

/** How many make progress at once in a busy process. */
const maxWhileBusy = 24;
/** The share of time from which a process counts as busy. */
const busyShare = 0.5;
const groupSize = 16;
/** When there is room for less than half a group, this is how long after the last ones more begin. */
const gatherMs = 25;
/** A run that has been in progress for this long waits for a data source and slows nobody down: it no longer counts. */
const countsForMs = 1000;

export function crowdingOf(max: number, clock: () => number = () => performance.now()) {
  let begunAt = Number.NEGATIVE_INFINITY;
  let restsUntil = 0;

  const restMs = () => Math.max(restsUntil - clock(), 0);

  return {
    /** The milliseconds until more may begin although there is room for less than half a group. */
    restMs,

    /**
     * How many more may begin, given the milliseconds that each has been in progress, and the share of time that the
     * process was busy lately.
     */
    room(ages: readonly number[], busy: number): number {
      const limit = busy > busyShare ? Math.min(maxWhileBusy, max) : max;
      const crowd = ages.filter((age) => age < countsForMs).length;
      const more = Math.max(Math.min(limit - crowd, max - ages.length), 0);
      if (crowd > 0 && 2 * more < Math.min(groupSize, max)) restsUntil = begunAt + gatherMs;
      return restMs() > 0 ? 0 : more;
    },

    /** So many have begun together. */
    began(count: number): void {
      if (count > 0) begunAt = clock();
    },
  };
}
