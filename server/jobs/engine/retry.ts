/** When a failed try is repeated. Pure. */

/** After the given number of failed tries: ten seconds, doubled each time up to an hour, less up to half. */
export function backoffMs(failedTries: number, random: () => number = Math.random): number {
  const ceiling = Math.min(10_000 * 2 ** (failedTries - 1), 3_600_000);
  return Math.round(ceiling * (1 - random() / 2));
}

/** What RetryAfterError asked for, from its header: seconds or a date. Null when there is none to go by. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? Math.max(ms, 0) : null;
}
