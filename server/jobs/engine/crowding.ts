/**
 * How many of the runs that wait for data sources a process takes at once: as many as it may, while those who ask the
 * service something do not notice it.
 *
 * Most such runs wait for somebody else's database, and sixty of them are no burden. But when these answer at once,
 * the runs are work for this process and for its own database, and sixty of them are a queue that everybody's request
 * stands in. So every tenth of a second the smallest question is put to the own database, by the way that requests go.
 * A request asks many such, one after the other. Takes the answer more than twice as long as it once did while this
 * process is busy, there are too many runs, and fewer are taken. Else more are: where the process has little to do, it
 * is somebody else who keeps the database waiting.
 */

/** Even where others keep everything busy, something goes on. */
const least = 1;
/** Where it begins: a storm has its first moments, too. */
const first = 6;

/** Whoever has been under way for longer waits for a data source, and is in nobody's way. */
const hurriesMs = 1000;

export type Crowding = ReturnType<typeof crowdingOf>;

export function crowdingOf(most: number) {
  const leastHere = Math.min(least, most);
  let limit = Math.min(first, most);
  let usual = Number.POSITIVE_INFINITY;
  const latest: number[] = [];

  /** How many are in the way of others, of those that have been under way for so many milliseconds. */
  const crowdOf = (ages: readonly number[]) => ages.filter((age) => age < hurriesMs).length;

  return {
    limit: () => Math.floor(limit),
    crowdOf,

    /** How many more may begin, beside those that have been under way for so many milliseconds. */
    room: (ages: readonly number[]) =>
      Math.max(Math.min(Math.floor(limit) - crowdOf(ages), most - ages.length), 0),

    /** An answer that took so many milliseconds, beside such a crowd, the process busy for such a share of the time. */
    observe(ms: number, crowd: number, busy: number): void {
      // What is usual may change, and then not for a moment: it doubles in two hours of answers that are slower.
      usual = Math.min(ms, usual * 1.00001);
      latest.push(ms);
      if (latest.length > 5) latest.shift();
      const typical = latest.toSorted((a, b) => a - b)[Math.floor(latest.length / 2)] ?? ms;
      const isSlow = typical > 2 * usual + 1;
      if (isSlow && busy > 0.5) limit = Math.max(leastHere, Math.min(limit, crowd) * 0.8);
      else if ((typical < 1.5 * usual + 0.3 || busy < 0.3) && crowd >= Math.floor(limit))
        limit = Math.min(most, limit * 1.1 + 0.5);
    },
  };
}
