/** When a delivery that failed for the moment is tried again. Pure. */

const minute = 60_000;

/** After the first failed try a minute, then ever longer: together most of a day. */
const waits = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * minute);

export const mostTries = waits.length + 1;

/** What is not delivered by then would tell nobody anything new. */
const giveUpMs = 26 * 60 * minute;

/**
 * How long to wait after so many failed tries, in milliseconds; null to give up. The waits of many deliveries that
 * failed together are spread out; a receiver that says when it will listen again is not asked before.
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

/** What a Retry-After header asks for: seconds or a date. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  // A date begins with its weekday; Date.parse finds one in almost anything else.
  const ms = /^\s*[a-z]{3}/i.test(header) ? Date.parse(header) - now : Number.NaN;
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
