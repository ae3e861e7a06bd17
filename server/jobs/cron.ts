import { Cron } from "croner";

/** Cron schedules: five fields, in an IANA time zone. Pure; pages load this file without Zod. */

/** The next runs strictly after `after`, at most `count`; fewer if the expression has no further dates. */
export function nextRuns(expression: string, zone: string, after: Date, count: number): Date[] {
  return new Cron(expression, { timezone: zone, mode: "5-part", paused: true }).nextRuns(count, after);
}

/** The first run strictly after `after`, or null if there is none. */
export function nextRun(expression: string, zone: string, after: Date): Date | null {
  return nextRuns(expression, zone, after, 1)[0] ?? null;
}

/** Why an expression is not a valid schedule, or null if it is one. */
export function cronProblem(expression: string): string | null {
  if (expression.trim().split(/\s+/).length !== 5)
    return "must have five fields: minute, hour, day of month, month, day of week";
  try {
    return nextRun(expression, "UTC", new Date()) ? null : "names a date that never comes";
  } catch {
    return "is not a cron expression";
  }
}
