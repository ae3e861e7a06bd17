/** When a failed try is retried. Pure. */

/**
 * The delay after the given number of failures: ten seconds, doubled each time up to an hour, less a random part
 * of up to half.
 */
export function backoffMs(failedTries: number, random: () => number = Math.random): number {
  const ceiling = Math.min(10_000 * 2 ** (failedTries - 1), 3_600_000);
  return Math.round(ceiling * (1 - random() / 2));
}

/** The delay requested by RetryAfterError, from its header: seconds or a date. null if it is absent or invalid. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? Math.max(ms, 0) : null;
}
