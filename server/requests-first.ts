import { workContext } from "./telemetry/work-context.ts";

/**
 * Requests go first: while one is being answered, this process's jobs begin nothing new. Each piece of a job's work asks
 * before it begins, so what is in progress when a request arrives ends within milliseconds, and the request has the
 * process and its database to itself. The rest of the time, jobs may take all there is.
 *
 * A pause ends with the last request, or after `maxPauseMs`: a request that takes longer mostly waits for someone else's
 * database. If there are always others, jobs go on for as long as they have paused. Never pause while holding a lock, a
 * place, or a transaction that a request might wait for.
 */

const maxPauseMs = 100;
/** Whoever has just clicked will soon click again. */
const latelyMs = 5_000;

/** When they arrived, in this order; those that have taken too long are left out. */
const inProgress = new Set<{ since: number }>();
let pause: (PromiseWithResolvers<void> & { timer: NodeJS.Timeout }) | null = null;
/** When the last pause that took as long as it may has ended. */
let goingOnSince = Number.NEGATIVE_INFINITY;
let lastBegan = Number.NEGATIVE_INFINITY;

/** Returns the function to call when the request has been answered. */
export function beginRequest(): () => void {
  const request = { since: performance.now() };
  lastBegan = request.since;
  inProgress.add(request);
  return () => {
    inProgress.delete(request);
    if (inProgress.size === 0) endPause();
  };
}

/** Whether one has arrived in the last few seconds. */
export const wereRequestsLately = (): boolean => performance.now() - lastBegan < latelyMs;

/** For jobs to await before each piece of their work. */
export function afterRequests(): Promise<void> | undefined {
  const now = performance.now();
  if (pause || now - goingOnSince < maxPauseMs || !isAnyFresh(now)) return pause?.promise;
  const timer = setTimeout(() => {
    goingOnSince = performance.now();
    endPause();
  }, maxPauseMs);
  pause = { ...Promise.withResolvers<void>(), timer };
  return pause.promise;
}

/** The same for what both jobs and requests call: only jobs wait. */
export const ifJobAfterRequests = (): Promise<void> | undefined =>
  inProgress.size > 0 && workContext()?.job !== undefined ? afterRequests() : undefined;

function endPause(): void {
  clearTimeout(pause?.timer);
  pause?.resolve();
  pause = null;
}

function isAnyFresh(now: number): boolean {
  for (const request of inProgress) {
    if (now - request.since < maxPauseMs) return true;
    inProgress.delete(request);
  }
  return false;
}
