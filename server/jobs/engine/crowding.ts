/**
 * How many runs that wait for data sources a process takes at once.
 *
 * Most of them wait for an external database, and as many as allowed are no burden. If these databases respond
 * immediately, the runs are work for this process and its own database instead. Then the more there are, the more of them
 * share their statements, and the less each costs; but a request waits for what is in progress when it arrives
 * (requests-first.ts), so there are fewer while people are around. If other processes are answering requests, for which
 * the runs here do not pause, it has to be fewer still (requests-elsewhere.ts).
 *
 * Runs that begin together share their statements (db/gathered.ts), so single places are not given away as they become
 * free: more begin when half a group fits, or a moment later.
 */

/** Where requests were answered in the last few seconds: by another process, by this one, or by none. */
export type Requests = "elsewhere" | "here" | "nowhere";

/**
 * How many make progress at once in a process that is busy or idle, and the share of time from which it counts as busy.
 * That share is lower beside others: so few in progress do not keep a process busy, and the limit would end as soon as it
 * began. An idle process may be at the beginning of a storm, in which a person should not wait for all that begins.
 */
const limits: Record<Requests, { busy: number; idle: number; busyFrom: number }> = {
  elsewhere: { busy: 8, idle: 48, busyFrom: 0.2 },
  here: { busy: 32, idle: 48, busyFrom: 0.5 },
  nowhere: { busy: 64, idle: Number.POSITIVE_INFINITY, busyFrom: 0.5 },
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
     * was busy lately, and where requests are being answered.
     */
    room(ages: readonly number[], busy: number, requests: Requests): number {
      const allowed = limits[requests];
      const limit = Math.min(busy > allowed.busyFrom ? allowed.busy : allowed.idle, max);
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
