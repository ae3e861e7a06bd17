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
 */

/** Some progress must continue even if others keep everything busy. */
const minLimit = 1;
/** The initial limit: low, in case the service starts under load. */
const initialLimit = 6;

/** A run that has been in progress for this long waits for a data source and slows nobody down: it no longer counts. */
const countsForMs = 1000;

export type Crowding = ReturnType<typeof crowdingOf>;

export function crowdingOf(max: number) {
  const minHere = Math.min(minLimit, max);
  let limit = Math.min(initialLimit, max);
  let usual = Number.POSITIVE_INFINITY;
  const latest: number[] = [];

  /** How many runs slow others down, given the milliseconds that each has been in progress. */
  const crowdOf = (ages: readonly number[]) => ages.filter((age) => age < countsForMs).length;

  return {
    limit: () => Math.floor(limit),
    crowdOf,

    /** How many more may begin, given the milliseconds that each has been in progress. */
    room: (ages: readonly number[]) =>
      Math.max(Math.min(Math.floor(limit) - crowdOf(ages), max - ages.length), 0),

    /** Records an answer: its milliseconds, the current crowd, and the share of time that the process was busy. */
    observe(ms: number, crowd: number, busy: number): void {
      // The normal time adapts slowly: it doubles in two hours of slower answers.
      usual = Math.min(ms, usual * 1.00001);
      latest.push(ms);
      if (latest.length > 5) latest.shift();
      const typical = latest.toSorted((a, b) => a - b)[Math.floor(latest.length / 2)] ?? ms;
      const isSlow = typical > 2 * usual + 1;
      if (isSlow && busy > 0.5) limit = Math.max(minHere, Math.min(limit, crowd) * 0.8);
      else if ((typical < 1.5 * usual + 0.3 || busy < 0.3) && crowd >= Math.floor(limit))
        limit = Math.min(max, limit * 1.1 + 0.5);
    },
  };
}
