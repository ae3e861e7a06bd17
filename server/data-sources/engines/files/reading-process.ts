import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "../../../program-files.ts";
import { type Limits, type ResultSet, SourceError } from "../engine.ts";
import type { Pooled } from "../pool.ts";
import type { Answers, Asked, FromProcess, Place, ToProcess } from "./messages.ts";

/** How long a statement that was told to stop may take to do so before its process is killed. */
const killAfterMs = 2_000;

type Outcome<K extends Asked["say"]> = { answer: Answers[K]; rows: ResultSet["rows"] };

export type ReadingProcess = Pooled & {
  /** Throws SourceError, or the reason of an aborted signal. Nothing runs any more when it has thrown. */
  ask<K extends Asked["say"]>(
    asked: Extract<Asked, { say: K }>,
    limits: Pick<Limits, "timeoutMs" | "signal">,
  ): Promise<Outcome<K>>;
};

/** Every process of this kind, with the SQL that it runs now. */
const processes = new Map<ChildProcess, string | null>();
export const readingProcesses = () => [...processes].map(([{ pid = 0 }, sql]) => ({ pid, sql }));

/** Starts a process that reads a folder. */
export function startReading(place: Omit<Place, "spillFolder">): ReadingProcess {
  const spillFolder = mkdtempSync(join(tmpdir(), "plumbline-files-"));
  const child = startProgram("data-sources/engines/files/process");
  processes.set(child, null);
  let isAlive = true;
  /** Why it was ended by us. */
  let ended: SourceError | null = null;
  let current: { hear(message: FromProcess): void; fail(error: unknown): void } | null = null;

  const lost = (error: SourceError) => {
    isAlive = false;
    processes.delete(child);
    current?.fail(ended ?? error);
    rmSync(spillFolder, { recursive: true, force: true });
  };
  child.on("message", (message: FromProcess) => current?.hear(message));
  child.on("error", () => lost(unreachable("The process that reads files could not be started")));
  child.on("exit", () =>
    lost(unreachable("The process that reads files ended: it may have needed too much memory")),
  );
  // A process that is gone cannot be told anything; its exit is what counts.
  const tell = (message: ToProcess) => void child.send(message, () => {});
  tell({ say: "open", place: { ...place, spillFolder } });

  const drop = () => {
    ended ??= unreachable("The data source was closed or changed");
    isAlive = false;
    child.kill("SIGKILL");
  };

  const ask: ReadingProcess["ask"] = async (asked, { timeoutMs, signal }) => {
    signal?.throwIfAborted();
    if (!isAlive) throw ended ?? unreachable("The process that reads files ended");
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<never>>();
    const rows: ResultSet["rows"] = [];
    /** Why it is to stop; told once it has. */
    let reason: { error: unknown } | null = null;
    let killing: NodeJS.Timeout | undefined;
    const stop = (error: unknown) => {
      if (reason) return;
      reason = { error };
      tell({ say: "cancel" });
      killing = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    };
    const late = setTimeout(() => stop(timedOut(timeoutMs)), timeoutMs);
    const abort = () => stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    processes.set(child, "statement" in asked ? asked.statement.sql : asked.say);
    current = {
      hear(message) {
        if (message.say === "failed" && message.isLast) isAlive = false;
        if (message.say === "again") rows.length = 0;
        else if (message.say === "rows") rows.push(...message.rows);
        else if (reason) reject(reason.error);
        else if (message.say === "failed") reject(failureIn(message));
        else resolve({ answer: message.answer as never, rows });
      },
      fail: (error) => reject(ended ?? reason?.error ?? error),
    };
    tell(asked);
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      clearTimeout(killing);
      signal?.removeEventListener("abort", abort);
      if (isAlive) processes.set(child, null);
      current = null;
    }
  };

  return {
    ask,
    drop,
    alive: () => isAlive,
    answers: async () => isAlive,
  };
}

function failureIn({ kind, message, line }: Extract<FromProcess, { say: "failed" }>): SourceError {
  return new SourceError(kind, message, line === undefined ? {} : { sentPlace: { line, column: null } });
}

const unreachable = (message: string) => new SourceError("unreachable", message);

const timedOut = (timeoutMs: number) =>
  new SourceError("timeout", `The statement took longer than ${timeoutMs / 1000} s and was cancelled`);
