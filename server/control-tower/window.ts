const dayMs = 86_400_000;

/**
 * The days of 24 hours before a moment, to the millisecond. Executions that began at or after `from` are in the window.
 *
 * Counters are kept by UTC day, so the result is what was counted since a midnight, adjusted by the individual
 * executions between that midnight and `from`. The midnight nearer to `from` is used, so that at most half a day of
 * executions is read.
 */
export type Window = {
  from: Date;
  /** The counters at the end of this day, `YYYY-MM-DD`, are before the window. */
  countedTo: string;
  /** Executions that began in here lie between the counters and the window. */
  edge: { from: Date; to: Date };
  /** Whether those belong to the window, so they are added to the counters; otherwise they are subtracted. */
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
