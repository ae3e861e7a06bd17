import { unlessItWaitsLong, waitBriefly } from "./brief-waits.ts";
import type { Transaction } from "./client.ts";
import { gathered } from "./gathered.ts";
import { jobTransaction } from "./job-transaction.ts";

/** Stores several. What others have locked is waited for, or skipped: null, as for what is no longer ours to store. */
type StoreAll<Run, Stored> = (
  tx: Transaction,
  runs: readonly Run[],
  ifLocked: "wait" | "skip",
) => Promise<readonly (Stored | null)[]>;

/**
 * Stores what jobs have done, in one transaction for all that ends at the same time. What others have locked is waited for
 * alone, and so is what should be stored `alone`. Returns null for what is no longer ours to store.
 */
export function storedAtOnce<Run, Stored>(store: StoreAll<Run, Stored>) {
  const together = gathered<Run, Stored | null>(
    unlessItWaitsLong((runs) =>
      jobTransaction(async (tx) => {
        await waitBriefly(tx);
        return store(tx, runs, "skip");
      }),
    ),
  );
  return async (run: Run, { alone }: { alone: boolean }): Promise<Stored | null> => {
    const stored = alone ? null : await together(run);
    if (stored !== null) return stored;
    const [last = null] = await jobTransaction((tx) => store(tx, [run], "wait"));
    return last;
  };
}
