/** When a delivery is retried after a temporary failure. Pure. */

const minute = 60_000;

/** A minute after the first failure, then with increasing delays: together most of a day. */
const waits = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * minute);

export const maxTries = waits.length + 1;

/** After that the news is too old to be useful. */
const giveUpMs = 26 * 60 * minute;

/**
 * The delay after a number of failures in milliseconds, or null to give up. Delays have jitter, so that deliveries
 * that failed together are spread out, and respect the receiver's Retry-After.
 */
export function nextWaitMs(
  failed: { tries: number; queuedMsAgo: number; retryAfterMs?: number | undefined },
  random: () => number = Math.random,
): number | null {
  const planned = waits[failed.tries - 1];
  if (planned === undefined) return null;
  const wait = Math.max(planned * (1 + random() / 10), failed.retryAfterMs ?? 0);
  return failed.queuedMsAgo + wait > giveUpMs ? null : Math.round(wait);
}

/** Parses Retry-After: seconds or a date. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  // A date starts with its weekday; Date.parse would accept almost anything.
  const ms = /^\s*[a-z]{3}/i.test(header) ? Date.parse(header) - now : Number.NaN;
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
