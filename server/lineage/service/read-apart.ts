import type { ChildProcess } from "node:child_process";
import { startProgram } from "../../program-files.ts";
import type { ReadOutcome, StatementToRead } from "../statement.ts";

/** A statement may keep the parser busy for so long, and all of a call for so long. */
const limits = { statementMs: 4_000, allMs: 120_000 };
const heapMb = 512;

/**
 * Reads statements one after the other in a process, which is ended and started anew when one takes too long or breaks it.
 * What the time did not last for is `undefined`: it is read the next time.
 */
export async function readApart(
  statements: readonly StatementToRead[],
  { statementMs, allMs }: Partial<typeof limits> = {},
): Promise<(ReadOutcome | undefined)[]> {
  const until = performance.now() + (allMs ?? limits.allMs);
  const outcomes: (ReadOutcome | undefined)[] = statements.map(() => undefined);
  let child: ChildProcess | null = null;
  try {
    for (const [place, statement] of statements.entries()) {
      if (performance.now() > until) break;
      child ??= await started();
      const outcome = await answered(child, statement, statementMs ?? limits.statementMs);
      if (outcome === null) {
        child.kill("SIGKILL");
        child = null;
      }
      outcomes[place] = outcome ?? { problem: "It takes too long to be read" };
    }
  } finally {
    child?.kill("SIGKILL");
  }
  return outcomes;
}

async function started(): Promise<ChildProcess> {
  const child = startProgram("lineage/reading-process", { heapMb });
  // Loading the parser takes longer than any statement should, and is no statement's fault.
  await answered(child, { sql: "select 1", dialect: "postgresql", tables: [] }, 60_000);
  return child;
}

/** null if it does not answer in time, or ends. */
function answered(child: ChildProcess, statement: StatementToRead, ms: number): Promise<ReadOutcome | null> {
  return new Promise((resolve) => {
    const end = (outcome: ReadOutcome | null) => {
      clearTimeout(late);
      for (const event of ["message", "error", "exit"]) child.removeAllListeners(event);
      // What happens to a process that nobody waits for anymore concerns nobody.
      child.on("error", () => undefined);
      resolve(outcome);
    };
    const late = setTimeout(() => end(null), ms);
    child.once("message", (outcome: ReadOutcome) => end(outcome));
    child.once("error", () => end(null));
    child.once("exit", () => end(null));
    // One that has ended cannot be told anything; its exit is what counts.
    child.send(statement, () => {});
  });
}
