/**
 * For work that would only get in its own way. Each call gets what began after it: while the work is running, all that
 * come share the next run. So what ends last also began last.
 */
export function oneAtATime<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const now = work();
      running = now.catch(() => {});
      return now;
    });
    return next;
  };
}
