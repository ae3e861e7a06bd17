/**
 * Ends this process when it uses too much memory, as a library may allocate what it does not count, in calls that cannot
 * be interrupted. Its data is not needed any more, so nothing is closed.
 */
const watchEveryMs = 10;
/** For what is told last to arrive. */
const lastWordsMs = 200;

/** A normal exit would wait for busy threads. */
export const die = () => process.kill(process.pid, "SIGKILL");

/** `tell` says why, and calls what it is given once it is said. */
export function watchMemory(maxBytes: number, tell: (said: () => void) => void): void {
  let isDying = false;
  setInterval(() => {
    if (isDying || process.memoryUsage.rss() < maxBytes) return;
    isDying = true;
    tell(die);
    setTimeout(die, lastWordsMs);
  }, watchEveryMs);
}
