import { Problem } from "../errors.ts";

/**
 * Limits concurrent password hashing. Each hash takes 64 MB and one of the four libuv threads, which also serve file
 * and DNS requests: a flood of sign-ins must not starve everything else.
 */
const atOnce = 2;

/** About 10 s of work; when the queue is full, callers are told to retry later. */
const maxWaiting = 100;

const queue = { running: 0, waiting: [] as (() => void)[] };

/** Runs the work when it is its turn. Throws rate_limited if the queue is full. */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (queue.running < atOnce) queue.running += 1;
  else {
    if (queue.waiting.length >= maxWaiting)
      throw new Problem("rate_limited", "Too many simultaneous sign-ins; try again in a moment", {
        headers: { "retry-after": "10" },
      });
    // Passes the slot on to the next in the queue.
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
