const dayMs = 86_400_000;

/**
 * The days before a moment, to the millisecond. Executions of the window began at or after `from`.
 *
 * Counters are kept by UTC day, so the window is what has been counted since a midnight, and the executions between
 * that midnight and `from` one by one. Of the two midnights around `from` the nearer is taken, so that never more
 * than half a day of them is read.
 */
export type Window = {
  from: Date;
  /** The counters as they stood at the end of this day, `YYYY-MM-DD`, lie before the window. */
  countedTo: string;
  /** The executions that began in here are between the counters and the window. */
  edge: { from: Date; to: Date };
  /** Whether those are of the window, and missing in what was counted since; otherwise they are to be taken off. */
  isEdgeInside: boolean;
};

export function windowBefore(now: Date, timeRangeDays: number): Window {
  const from = new Date(now.getTime() - timeRangeDays * dayMs);
  const midnight = new Date(Math.floor(from.getTime() / dayMs) * dayMs);
  const nextMidnight = new Date(midnight.getTime() + dayMs);
  const isEdgeInside = nextMidnight.getTime() - from.getTime() < from.getTime() - midnight.getTime();
  return {
    from,
    countedTo: dayOf(isEdgeInside ? midnight : new Date(midnight.getTime() - dayMs)),
    edge: isEdgeInside ? { from, to: nextMidnight } : { from: midnight, to: from },
    isEdgeInside,
  };
}

/** Every UTC day from one moment to another, oldest first. */
export function daysFrom(from: Date, to: Date): string[] {
  const first = Math.floor(from.getTime() / dayMs);
  const last = Math.floor(to.getTime() / dayMs);
  return Array.from({ length: last - first + 1 }, (_, index) => dayOf(new Date((first + index) * dayMs)));
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
