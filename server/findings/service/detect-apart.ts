import type { ObservedTable } from "../../profile/observed-table.ts";
import { startProgram } from "../../program-files.ts";
import type { ObservedDatabase } from "../candidate.ts";
import {
  type Detection,
  type Message,
  received,
  receivedInPart,
  type SentFinding,
  type SentJudged,
} from "../detection.ts";
import type { Merged } from "../merge.ts";
import type { Reason } from "../teach/reason.ts";

/** What a process may take of the memory, beside what the service has. */
const heapMb = 1536;

/** What is wrong with the tables; in part where not all detectors have answered in time. */
export type Detected = {
  found: Merged[];
  isComplete: boolean;
  /** Of the tables that were to be explained: why cells of them may be wrong. */
  reasons: ReadonlyMap<ObservedTable, readonly Reason[]>;
};

/**
 * What `findingsIn` finds, in a process of its own. With `timeoutMs`, what was found by then. Throws Error when the
 * process ends without an answer, as it does for a database that is too large for its memory, and the reason of an
 * aborted signal.
 */
export async function detectApart(
  database: ObservedDatabase,
  {
    tables = database.tables,
    timeoutMs,
    signal,
    explained = [],
  }: {
    explained?: readonly ObservedTable[];
    tables?: readonly ObservedTable[];
    timeoutMs?: number;
    signal?: AbortSignal | undefined;
  } = {},
): Promise<Detected> {
  signal?.throwIfAborted();
  const places = tables.map((table) => database.tables.indexOf(table));
  const detection: Detection = {
    ...{ database, places, sendsParts: timeoutMs !== undefined },
    explained: explained.map((table) => database.tables.indexOf(table)),
  };
  const child = startProgram("findings/detection-process", { heapMb });
  const parts: SentJudged[] = [];
  const listening = new AbortController();
  try {
    const late = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs);
    const all = await new Promise<Extract<Message, { all: SentFinding[] }> | null>((resolve, reject) => {
      child.on("message", (message: Message) => {
        if ("all" in message) resolve(message);
        else parts.push(...message.part);
      });
      child.once("error", reject);
      child.once("exit", () => reject(new Error("Detection ended without an answer")));
      // One that has ended cannot be told anything; its exit is what counts.
      child.send(detection, () => {});
      late?.addEventListener("abort", () => resolve(null));
      signal?.addEventListener("abort", () => reject(signal.reason), { signal: listening.signal });
    });
    return all === null
      ? { found: receivedInPart(parts, database), isComplete: false, reasons: new Map() }
      : {
          found: received(all.all, database),
          isComplete: true,
          reasons: new Map(explained.map((table, place) => [table, all.reasons[place] ?? []])),
        };
  } finally {
    listening.abort();
    child.kill("SIGKILL");
  }
}
