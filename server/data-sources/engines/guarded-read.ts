import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { type Limits, type ResultSet, SourceError, type Statement } from "./engine.ts";
import { Intake, Wire } from "./intake.ts";
import type { Link } from "./link.ts";
import type { Pooled } from "./pool.ts";

/** For instant operations on a healthy server: beginning, ending, and pinging. */
export const housekeepingMs = 10_000;
/** How long after the time limit the connection is cut if a cancelled statement does not end. */
export const cutAfterMs = 5_000;
/** Extra time for a server that enforces the limit itself, before it is asked to cancel: it may be busy, too. */
const graceMs = 2_000;

/**
 * What engines implement to read one statement. `Column` is the driver's column description, and `Start` is
 * engine-specific input when a statement begins.
 */
export type Driver<Column, Start = never> = {
  link: Link;
  /** Receives and counts what the server sends. */
  socket: Socket;
  /** The maximum of the protocol or server. */
  maxParameters: number;
  /** Begins a transaction, read-only if the server supports that, with all settings that a statement needs. */
  begin(limits: Limits, start?: Start): Promise<void>;
  /**
   * Sends the statement and passes columns and rows to the intake until the end, or until the intake is full.
   * "abandoned": the server is still sending, and only closing the connection stops it.
   */
  fetch(statement: Statement, intake: Intake<Column>): Promise<"complete" | "abandoned">;
  /** The columns with names and the engine's type names, while the transaction is open. */
  describe(columns: readonly Column[]): ResultSet["columns"] | Promise<ResultSet["columns"]>;
  /** Asks the server to cancel the running statement. */
  cancel(): Promise<void>;
  /** Resets the connection to its state after login: no transaction, setting, lock, cursor, or temporary table. */
  end(): Promise<void>;
  /** Pings the server. */
  ping(): Promise<unknown>;
  /** Whether the server itself ends a statement at the time limit, if it is a single statement to the server. */
  enforcesTimeLimit(limits: Limits): boolean;
  /** Whether the server works on what is sent in order, so that nothing is gained by waiting in between. */
  pipelines?: boolean;
  /** Whether cancellation uses a separate connection, and so could hit the next statement. */
  cancelsApart: boolean;
  /** Whether the error came from the server and the connection can still be used. */
  isServerError(error: unknown): boolean;
  /** Whether the statement timed out or was cancelled by us. */
  isStop(error: unknown, cancelled: boolean): boolean;
  /** The error as callers see it, with its place in the statement if the server tells it. */
  failure(error: unknown, statement: Statement): SourceError;
};

export type GuardedRead<Start = never> = Pooled & {
  /**
   * Runs one statement in its own transaction, which is always rolled back. Throws SourceError, or the reason of an
   * aborted signal.
   */
  read(statement: Statement, limits: Limits, start?: Start): Promise<ResultSet>;
  /** The same, but throws the server's or driver's own errors; SourceError only for what was decided here. */
  attempt(statement: Statement, limits: Limits, start?: Start): Promise<ResultSet>;
};

/**
 * Reads one statement at a time on a connection: begins, fetches within the limits on time, rows, and bytes, cancels
 * slow statements on the server, and cleans up. A connection that cannot be cleaned up is dropped.
 */
export function guardedRead<Column, Start = never>(driver: Driver<Column, Start>): GuardedRead<Start> {
  const { link } = driver;
  const wire = new Wire(driver.socket);
  let running = false;
  let cancelled = false;

  const cancel = () => {
    cancelled = true;
    // If the server cannot be asked, the only option is to cut the connection.
    void driver.cancel().catch(() => {});
  };

  const drop = () => {
    // Cutting the connection does not stop a statement: the server only notices when it sends a row.
    if (running && !cancelled) cancel();
    running = false;
    link.drop();
  };

  const fetch = async (statement: Statement, intake: Intake<Column>) => {
    try {
      return await link.unlessBroken(driver.fetch(statement, intake));
    } catch (error) {
      if (!wire.isOverrun) throw error;
      if (intake.count === 0 || intake.limits.countAll)
        throw new SourceError("statement", "A row of the result is too large to be read");
      intake.cut();
      return "abandoned";
    } finally {
      wire.allowAll();
    }
  };

  const attempt: GuardedRead<Start>["attempt"] = async (statement, asked, start) => {
    if (statement.parameters.length > driver.maxParameters)
      throw new SourceError("refused", "The statement has too many parameters");
    if (!link.isAlive) throw new SourceError("unreachable", "The connection was lost");
    const { signal } = asked;
    signal?.throwIfAborted();
    const limits = statement.answersOneRow ? { ...asked, countAll: false } : asked;
    const startedAt = performance.now();
    const timers: NodeJS.Timeout[] = [];
    let stopListening = () => {};
    const settle = () => {
      for (const timer of timers) clearTimeout(timer);
      stopListening();
    };
    cancelled = false;
    // Of the end of a transaction that was sent along with its statement.
    let ending: Promise<void> | null = null;
    try {
      const begun = link.within(housekeepingMs, driver.begin(limits, start));
      // Only what no answer decides about, and what nobody else has written: should the transaction not begin, nothing
      // but an aggregate of our own runs outside of it.
      const isAtOnce = driver.pipelines && !start && statement.answersOneRow && statement.ownSql;
      if (!isAtOnce) await begun;
      signal?.throwIfAborted();
      running = true;
      const intake = new Intake<Column>(limits, wire);
      const late = new Promise<never>((_, reject) => {
        const cut = () => {
          reject(timedOut(limits));
          drop();
        };
        const grace = driver.enforcesTimeLimit(limits) ? graceMs : 0;
        timers.push(setTimeout(cancel, limits.timeoutMs + grace));
        timers.push(setTimeout(cut, limits.timeoutMs + cutAfterMs));
        const abort = () => {
          cancel();
          // The server may not have begun with it: then it is asked once more, and no longer waited for.
          const again = () => {
            cancel();
            cut();
          };
          timers.push(setTimeout(again, cutAfterMs));
        };
        // Removed by hand: a listener with a signal of its own is referenced weakly, and keeps the rows until a full collection.
        signal?.addEventListener("abort", abort, { once: true });
        stopListening = () => signal?.removeEventListener("abort", abort);
      });
      const fetched = fetch(statement, intake);
      if (isAtOnce) {
        ending = driver.end();
        ending.catch(() => {});
        fetched.catch(() => {});
        await begun;
      }
      const outcome = await Promise.race([fetched, late]);
      settle();
      if (outcome === "abandoned") drop();
      running = false;
      const columns = await driver.describe(intake.columns);
      await release(ending);
      return { columns, ...intake.result() };
    } catch (error) {
      settle();
      const isOverdue = performance.now() - startedAt >= limits.timeoutMs;
      const isAborted = signal?.aborted ?? false;
      const wasStopped = (isOverdue || isAborted) && driver.isStop(error, cancelled);
      if (!wasStopped && !driver.isServerError(error) && !isRefusal(error)) drop();
      running = false;
      await release(ending);
      signal?.throwIfAborted();
      throw wasStopped ? timedOut(limits) : error;
    }
  };

  const release = async (ending: Promise<void> | null) => {
    // A cancellation in progress would hit whatever runs next.
    if (cancelled && driver.cancelsApart) link.drop();
    if (link.isAlive) await link.within(housekeepingMs, ending ?? driver.end()).catch(drop);
  };

  return {
    alive: () => link.isAlive,
    answers: () =>
      link.within(housekeepingMs, driver.ping()).then(
        () => true,
        () => false,
      ),
    drop,
    attempt,
    read: (statement, limits, start) =>
      attempt(statement, limits, start).catch((error) => {
        limits.signal?.throwIfAborted();
        throw driver.failure(error, statement);
      }),
  };
}

/** Whether a gate threw it; the connection is unaffected. */
const isRefusal = (error: unknown) => error instanceof SourceError && error.kind === "refused";

const timedOut = ({ timeoutMs }: Limits) =>
  new SourceError("timeout", `The statement took longer than ${timeoutMs / 1000} s and was cancelled`);
