import { Problem } from "../errors.ts";

/**
 * Passwords are hashed a few at once. Each hash takes 64 MB and one of the four threads that files and host names are
 * read with, too: a flood of sign-ins waits, and cannot take memory and threads from everything else.
 */
const atOnce = 2;

/** About 10 s of work; whoever comes when so many wait already is told to come again. */
const mostWaiting = 100;

type Queue = { running: number; waiting: (() => void)[] };

/** One queue per process, although several doors load this module. */
const shared = globalThis as { plumblineHashing?: Queue };

/** Does a piece of work when it is its turn. Throws rate_limited when too many wait. */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  shared.plumblineHashing ??= { running: 0, waiting: [] };
  const queue = shared.plumblineHashing;
  if (queue.running < atOnce) queue.running += 1;
  else {
    if (queue.waiting.length >= mostWaiting)
      throw new Problem("rate_limited", "Too many people are signing in at once; try again in a moment", {
        headers: { "retry-after": "10" },
      });
    // Whoever is done hands their place on.
    await new Promise<void>((resolve) => queue.waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = queue.waiting.shift();
    if (next) next();
    else queue.running -= 1;
  }
}
