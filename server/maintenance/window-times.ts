import { nextRun, nextRuns } from "../jobs/cron.ts";

/** When a maintenance window is. Pure; the start belongs to it, the end does not. */

export type WindowTimes = {
  startsAt: Date | null;
  endsAt: Date | null;
  cronExpression: string | null;
  durationMinutes: number | null;
  timezone: string;
  /** Someone ended it: nothing of it counts that began before. */
  endedAt: Date | null;
};

/** The end of the window that a moment is in, or null. Of repeating windows that overlap, the last one's. */
export function activeUntil(window: WindowTimes, at: Date): Date | null {
  const { startsAt, endsAt, cronExpression, durationMinutes, timezone, endedAt } = window;
  const counts = (start: Date) => endedAt === null || start > endedAt;
  if (cronExpression === null || durationMinutes === null) {
    if (startsAt === null || endsAt === null || !counts(startsAt)) return null;
    return at >= startsAt && at < endsAt ? endsAt : null;
  }
  const lasts = durationMinutes * 60_000;
  // Runs are strictly after the time that is asked for: a window that begins exactly then is over by now.
  let earliest = new Date(at.getTime() - lasts);
  let until: Date | null = null;
  for (let start = nextRun(cronExpression, timezone, earliest); start && start <= at; ) {
    if (counts(start)) until = new Date(start.getTime() + lasts);
    earliest = start;
    start = nextRun(cronExpression, timezone, earliest);
  }
  return until;
}

/** When it begins next, strictly after a moment; null if never. */
export function nextStart(window: WindowTimes, after: Date): Date | null {
  const { startsAt, cronExpression, timezone, endedAt } = window;
  if (cronExpression !== null) return nextRuns(cronExpression, timezone, after, 1)[0] ?? null;
  return startsAt !== null && startsAt > after && (endedAt === null || startsAt > endedAt) ? startsAt : null;
}
