import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { rowsInMessage } from "../data-sources/engines/duckdb/batch.ts";
import { type Limits, type ResultSet, SourceError, type Statement } from "../data-sources/engines/engine.ts";
import { requireReadOnly } from "../data-sources/engines/postgresql/gate.ts";
import { Problem } from "../errors.ts";
import { startProgram } from "../program-files.ts";
import { bindParameters } from "./placeholders.ts";
import type { ParameterValue } from "./schema.ts";
import type { FromScratch, ToScratch } from "./scratch-messages.ts";
import { resultsReadBy, withTablesFor } from "./step-results.ts";
import { scratchDialect } from "./step-rules.ts";

/**
 * The store in which a step reads earlier steps' results as `@@result1`, `@@result2`. It lives in memory, for one
 * statement.
 *
 * It uses DuckDB rather than SQLite: decimals of 38 digits, 64- and 128-bit integers, dates, and zoned times are native
 * and exact, where SQLite has text and floating-point numbers; it has a memory limit and can be denied file access; its
 * SQL is close to PostgreSQL's; and it joins and aggregates a million rows quickly. However, its memory limit does not
 * cover what a single function generates (`range(1e9)`, `repeat('x', 1e9)`), and such calls cannot be interrupted. So
 * each statement runs in its own process, which is killed if it takes too long or too much memory, and whose crash is
 * harmless. That process gets no environment variables, and thus no secrets.
 */
export type ScratchTable = { name: `result${number}`; result: ResultSet };

/**
 * Runs one read-only statement over the results of all earlier steps. Columns are converted to their source types, or
 * stay text if not all values can be converted. Cells have the same form as from other engines. Throws invalid for
 * parameters that do not match the text and for results that no earlier step returned, and SourceError: `refused`,
 * `statement`, `timeout`.
 */
export async function readScratch(
  sql: string,
  parameters: Readonly<Record<string, ParameterValue>>,
  tables: readonly ScratchTable[],
  limits: Limits,
): Promise<ResultSet> {
  const given = new Map<string, ResultSet>(tables.map(({ name, result }) => [name, result]));
  const read = new Map<string, ResultSet>();
  for (const number of resultsReadBy(sql, scratchDialect)) {
    const result = given.get(`result${number}`);
    if (!result) throw cannotRead(number, tables);
    read.set(`result${number}`, result);
  }
  const named = withTablesFor(sql, scratchDialect, (number) => `result${number}`);
  const statement = bindParameters(named, parameters, scratchDialect);
  requireReadOnly(statement.sql);

  const late = new AbortController();
  const timedOut = sleep(limits.timeoutMs, undefined, { signal: late.signal }).then(() => {
    const seconds = limits.timeoutMs / 1000;
    throw new SourceError("timeout", `The statement took longer than ${seconds} s and was canceled`);
  });
  timedOut.catch(() => {});
  try {
    return await inTurn(timedOut, () => runElsewhere(statement, read, limits, timedOut));
  } finally {
    late.abort();
  }
}

function cannotRead(number: number, tables: readonly ScratchTable[]): Problem {
  const step = 1 + Math.max(0, ...tables.map(({ name }) => Number(name.slice("result".length))));
  const message = `step ${step} cannot read @@result${number}: only the results of earlier steps`;
  return new Problem("invalid", message, { errors: [{ path: "sql", message }] });
}

/** Each uses a processor and some hundred megabytes. */
const maxRunning = 2;
const turns = { running: 0, waiting: new Set<() => void>() };

/** First come, first served; waiting has a time limit. */
async function inTurn<T>(timedOut: Promise<never>, work: () => Promise<T>): Promise<T> {
  if (turns.running < maxRunning) turns.running++;
  else {
    const { promise, resolve } = Promise.withResolvers<void>();
    turns.waiting.add(resolve);
    await Promise.race([promise, timedOut]).catch((error) => {
      // The turn came just as the wait ended: pass it on.
      if (!turns.waiting.delete(resolve)) endTurn();
      throw error;
    });
  }
  try {
    return await work();
  } finally {
    endTurn();
  }
}

function endTurn(): void {
  const [next] = turns.waiting;
  if (!next) turns.running--;
  else {
    turns.waiting.delete(next);
    next();
  }
}

async function runElsewhere(
  statement: Statement,
  tables: ReadonlyMap<string, ResultSet>,
  limits: Limits,
  timedOut: Promise<never>,
): Promise<ResultSet> {
  const child = startProgram("queries/scratch-process");
  try {
    const answer = resultOf(child);
    answer.catch(() => {});
    const told = tell(child, statement, tables, limits);
    // Ignore errors sending to a dead process; its exit is what matters.
    told.catch(() => {});
    return await Promise.race([answer, timedOut]);
  } finally {
    child.kill("SIGKILL");
  }
}

async function tell(
  child: ChildProcess,
  statement: Statement,
  tables: ReadonlyMap<string, ResultSet>,
  limits: Limits,
): Promise<void> {
  const say = (message: ToScratch) =>
    new Promise<void>((resolve, reject) => {
      child.send(message, (error) => (error ? reject(error) : resolve()));
    });
  for (const [name, { columns, rows }] of tables) {
    await say({ say: "table", name, columns });
    for (let at = 0; at < rows.length; at += rowsInMessage)
      await say({ say: "rows", rows: rows.slice(at, at + rowsInMessage) });
  }
  await say({ say: "run", statement, limits });
}

/** Replacing the names of results and parameters keeps lines, unless a placeholder is written over several. */
function failureIn({ kind, message, line }: Extract<FromScratch, { say: "failed" }>): SourceError {
  return new SourceError(kind, message, line === undefined ? {} : { writtenPlace: { line, column: null } });
}

function resultOf(child: ChildProcess): Promise<ResultSet> {
  return new Promise((resolve, reject) => {
    const rows: ResultSet["rows"] = [];
    child.on("message", (message: FromScratch) => {
      if (message.say === "rows") rows.push(...message.rows);
      else if (message.say === "failed") reject(failureIn(message));
      else {
        const { columns, truncated, rowCount } = message;
        resolve({ columns, rows, truncated, rowCount });
      }
    });
    child.on("error", reject);
    child.on("exit", () =>
      reject(new SourceError("statement", "The statement was stopped: it may have needed too much memory")),
    );
  });
}
