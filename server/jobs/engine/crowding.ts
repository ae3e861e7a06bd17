/**
 * How many runs that wait for data sources a process takes at once.
 *
 * Most of them wait for an external database, and as many as allowed are no burden. If these databases respond
 * immediately, the runs are work for this process and its own database instead: then fewer keep both busy, and requests
 * wait for less that is in progress when they arrive (requests-first.ts). If other processes are answering requests, for
 * which the runs here do not pause, it has to be fewer still (requests-elsewhere.ts).
 *
 * Runs that begin together share their statements (db/gathered.ts), so single places are not given away as they become
 * free: more begin when half a group fits, or a moment later.
 */

/**
 * How many make progress at once in a busy process, and the share of time from which it counts as busy. That share is
 * lower beside others: so few in progress do not keep a process busy, and the limit would end as soon as it began.
 */
const limits = {
  alone: { max: 32, busyFrom: 0.5 },
  besideOthers: { max: 8, busyFrom: 0.2 },
};
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
     * How many more may begin, given the milliseconds that each has been in progress, the share of time that the process
     * was busy lately, and whether others are answering requests.
     */
    room(ages: readonly number[], busy: number, areOthersAnswering = false): number {
      const whileBusy = limits[areOthersAnswering ? "besideOthers" : "alone"];
      const limit = busy > whileBusy.busyFrom ? Math.min(whileBusy.max, max) : max;
      const crowd = ages.filter((age) => age < countsForMs).length;
      const more = Math.max(Math.min(limit - crowd, max - ages.length), 0);
      if (crowd > 0 && 2 * more < Math.min(groupSize, limit)) restsUntil = begunAt + gatherMs;
      return restMs() > 0 ? 0 : more;
    },

    /** So many have begun together. */
    began(count: number): void {
      if (count > 0) begunAt = clock();
    },
  };
}
