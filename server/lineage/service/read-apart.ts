import { Worker } from "node:worker_threads";
import { programNamed } from "../../program-files.ts";
import type { ReadOutcome, StatementToRead } from "../statement.ts";

/** A statement may keep the parser busy for so long, and all of a call for so long. */
const limits = { statementMs: 4_000, allMs: 120_000 };
const resourceLimits = { maxOldGenerationSizeMb: 512 };

/**
 * Reads statements one after the other in a thread, which is ended and started anew when one takes too long or breaks it.
 * What the time did not last for is `undefined`: it is read the next time.
 */
export async function readApart(
  statements: readonly StatementToRead[],
  { statementMs, allMs }: Partial<typeof limits> = {},
): Promise<(ReadOutcome | undefined)[]> {
  const until = performance.now() + (allMs ?? limits.allMs);
  const outcomes: (ReadOutcome | undefined)[] = statements.map(() => undefined);
  let thread: Worker | null = null;
  try {
    for (const [place, statement] of statements.entries()) {
      if (performance.now() > until) break;
      thread ??= await started();
      const outcome = await answered(thread, statement, statementMs ?? limits.statementMs);
      if (outcome === null) {
        await thread.terminate();
        thread = null;
      }
      outcomes[place] = outcome ?? { problem: "It takes too long to be read" };
    }
  } finally {
    await thread?.terminate();
  }
  return outcomes;
}

async function started(): Promise<Worker> {
  const { file, execArgv } = programNamed("lineage/reading-thread");
  const thread = new Worker(file, { execArgv, resourceLimits, env: {} });
  // Loading the parser takes longer than any statement should, and is no statement's fault.
  await answered(thread, { sql: "select 1", dialect: "postgresql", tables: [] }, 60_000);
  return thread;
}

/** null if it does not answer in time, or ends. */
function answered(thread: Worker, statement: StatementToRead, ms: number): Promise<ReadOutcome | null> {
  return new Promise((resolve) => {
    const end = (outcome: ReadOutcome | null) => {
      clearTimeout(late);
      for (const event of ["message", "error", "exit"]) thread.removeAllListeners(event);
      // What happens to a thread that nobody waits for anymore concerns nobody.
      thread.on("error", () => undefined);
      resolve(outcome);
    };
    const late = setTimeout(() => end(null), ms);
    thread.once("message", end);
    thread.once("error", () => end(null));
    thread.once("exit", () => end(null));
    thread.postMessage(statement);
  });
}
