import { onHubEvent } from "@/components/realtime/live-events.ts";
import { factsOf } from "@/components/trpc/errors.ts";

/** Most runs finish within seconds, so polling starts fast and slows down. */
const soonMs = 250;
const soonLooks = 12;
const laterMs = 1_000;

/** Enough retries for a restart of the service: delays of 1, 2, 4, 8, and 16 s. */
const maxFailures = 5;

/**
 * Follows a background run (evaluation, execution, or think cycle) until it ends, and returns it.
 *
 * It polls, and reads at once when the hub reports the end. A failed read is retried with growing delays while that may
 * help; then it throws. Aborting the signal also throws; the run itself continues.
 */
export async function followRun<Seen>({
  kind,
  id,
  read,
  isOver,
  report,
  signal,
}: {
  /** The hub's name for the kind of run. */
  kind: "Evaluation" | "Execution" | "Scan" | "ThinkCycle";
  id: number;
  read: (signal: AbortSignal) => Promise<Seen>;
  isOver: (seen: Seen) => boolean;
  report: (seen: Seen) => void;
  signal: AbortSignal;
}): Promise<Seen> {
  let failures = 0;
  for (let looks = 0; ; looks += 1) {
    try {
      const seen = await read(signal);
      if (isOver(seen)) return seen;
      failures = 0;
      report(seen);
    } catch (error) {
      failures += 1;
      if (signal.aborted || failures > maxFailures || !factsOf(error).mayPass) throw error;
    }
    const pauseMs = failures > 0 ? 1_000 * 2 ** (failures - 1) : looks < soonLooks ? soonMs : laterMs;
    await untilChanged(kind, id, pauseMs, signal);
  }
}

/** Waits until the hub reports a change of the run, at most for the delay. */
function untilChanged(kind: string, id: number, pauseMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      stopListening();
      signal.removeEventListener("abort", abort);
      settle();
    };
    const abort = () => end(() => reject(signal.reason));
    const timer = setTimeout(() => end(resolve), pauseMs);
    const stopListening = onHubEvent("JobStatusChanged", (changed) => {
      if (changed.kind === kind && changed.id === id) end(resolve);
    });
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  });
}
