/**
 * Limits how many runs that wait for data sources a process takes at once: as many as possible without slowing down
 * requests.
 *
 * Most such runs wait for an external database, and sixty of them are no burden. But if these databases respond
 * immediately, the runs are work for this process and its own database, and sixty of them delay every request. So every
 * tenth of a second, a trivial query is sent to the service's database, by the same path as requests, each of which
 * makes many such queries in sequence. If it takes more than twice as long as normal while this process is busy, the
 * limit is lowered. Otherwise it is raised, even if the query is slow while the process is mostly idle: then something
 * else is slowing the database down.
 *
 * Runs that begin together share their statements (db/gathered.ts), so sixteen of them cost little more than four.
 * Therefore a low limit does not make groups smaller: a group that is larger than the limit is followed by a rest, so
 * that on average no more are in progress. Nor are single places given away as they become free: more begin when half a
 * group fits, or a moment later.
 */

/** Some progress must continue even if others keep everything busy. */
const minLimit = 1;
/** The initial limit: low, in case the service starts under load. */
const initialLimit = 6;
/** How many begin together, if as many are due. */
const groupSize = 16;
/** Even at the lowest limit, a group begins after this many milliseconds. */
const maxRestMs = 1000;
/** When the limit has room for less than half a group, this is how long after the last ones more begin. */
const gatherMs = 25;

/** A run that has been in progress for this long waits for a data source and slows nobody down: it no longer counts. */
const countsForMs = 1000;

export type Crowding = ReturnType<typeof crowdingOf>;

export function crowdingOf(max: number, clock: () => number = () => performance.now()) {
  const minHere = Math.min(minLimit, max);
  const group = Math.min(groupSize, max);
  let limit = Math.min(initialLimit, max);
  let usual = Number.POSITIVE_INFINITY;
  const latest: number[] = [];
  /** A group in progress that is larger than the limit. */
  let large: { size: number; since: number } | null = null;
  let restsUntil = 0;
  let begunAt = Number.NEGATIVE_INFINITY;

  /** How many runs slow others down, given the milliseconds that each has been in progress. */
  const crowdOf = (ages: readonly number[]) => ages.filter((age) => age < countsForMs).length;

  const restMs = () => Math.max(restsUntil - clock(), 0);

  return {
    limit: () => Math.floor(limit),
    crowdOf,
    /** The milliseconds until the next group may begin. */
    restMs,

    /** How many more may begin, given the milliseconds that each has been in progress. */
    room(ages: readonly number[]): number {
      const crowd = crowdOf(ages);
      if (large && crowd === 0) {
        const tookMs = clock() - large.since;
        restsUntil = clock() + Math.min(tookMs * (large.size / limit - 1), maxRestMs);
        large = null;
      }
      const more = crowd === 0 ? Math.max(Math.floor(limit), group) : Math.floor(limit) - crowd;
      if (crowd > 0 && 2 * more < Math.min(limit, group))
        restsUntil = Math.max(restsUntil, begunAt + gatherMs);
      if (large || restMs() > 0) return 0;
      return Math.max(Math.min(more, max - ages.length), 0);
    },

    /** So many have begun together. */
    began(size: number): void {
      if (size > 0) begunAt = clock();
      if (size > limit) large = { size, since: clock() };
    },

    /** Whether the limit is what keeps more from beginning: only then the load says something about it. */
    isFelt: (ages: readonly number[]) => crowdOf(ages) > 0 || restMs() > 0,

    /** Records an answer: its milliseconds, the current crowd, and the share of time that the process was busy. */
    observe(ms: number, crowd: number, busy: number): void {
      // The normal time adapts slowly: it doubles in two hours of slower answers.
      usual = Math.min(ms, usual * 1.00001);
      latest.push(ms);
      if (latest.length > 6) latest.shift();
      // The average, because a group in progress slows down some answers; without the slowest, which may be an accident.
      const calm = latest.toSorted((a, b) => a - b).slice(0, Math.max(latest.length - 1, 1));
      const typical = calm.reduce((sum, each) => sum + each, 0) / calm.length;
      const isLow = limit < group && (large !== null || restMs() > 0);
      if (typical > 2 * usual + 1 && busy > 0.5)
        limit = Math.max(minHere, (isLow ? limit : Math.min(limit, Math.max(crowd, minHere))) * 0.8);
      else if ((typical < 1.5 * usual + 0.3 || busy < 0.3) && (isLow || crowd >= Math.floor(limit)))
        limit = Math.min(max, limit * 1.1 + 0.5);
    },
  };
}
