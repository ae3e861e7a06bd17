import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Limits, type ResultSet, SourceError, type Statement } from "../data-sources/engines/engine.ts";
import { refuseUnlessReading } from "../data-sources/engines/postgresql/gate.ts";
import { Problem } from "../errors.ts";
import { bindParameters } from "./placeholders.ts";
import type { ParameterValue } from "./schema.ts";
import { type FromScratch, rowsInMessage, type ToScratch } from "./scratch-messages.ts";
import { resultsReadBy, withTablesFor } from "./step-results.ts";

/**
 * The store in which a step reads the results of the steps before it, as `@@result1`, `@@result2`. It holds them
 * for one statement, in memory, and is gone afterwards.
 *
 * It is DuckDB, and not SQLite: decimals of 38 digits, 64- and 128-bit integers, dates and zoned times are types of
 * its own and exact, where SQLite has text and floating-point numbers; it has a memory limit and can be forbidden
 * every file; its SQL is close to PostgreSQL's; and it joins and aggregates a million rows at once. Its limit does
 * not hold for what a single function makes up, though (`range(1e9)`, `repeat('x', 1e9)`), and those cannot be
 * interrupted either. So it runs in a process of its own: one that takes too long or too much is killed, and what
 * breaks in there breaks nothing here. That process has no environment, so none of the secrets.
 */
export type ScratchTable = { name: `result${number}`; result: ResultSet };

/** DuckDB quotes, escapes and comments as PostgreSQL does, and takes its placeholders. */
const dialect = { dialect: "postgresql", placeholder: (position: number) => `$${position}` } as const;

/**
 * Runs one statement that reads, over the results of all earlier steps. Values are converted to the types that
 * their columns had at their source, and are text where not all of a column can be. Cells are as from the other
 * engines. Throws invalid for parameters that do not fit the text and for results that no earlier step has given,
 * and SourceError: `refused`, `statement`, `timeout`.
 */
export async function readScratch(
  sql: string,
  parameters: Readonly<Record<string, ParameterValue>>,
  tables: readonly ScratchTable[],
  limits: Limits,
): Promise<ResultSet> {
  const given = new Map<string, ResultSet>(tables.map(({ name, result }) => [name, result]));
  const read = new Map<string, ResultSet>();
  for (const number of resultsReadBy(sql, dialect.dialect)) {
    const result = given.get(`result${number}`);
    if (!result) throw cannotRead(number, tables);
    read.set(`result${number}`, result);
  }
  const named = withTablesFor(sql, dialect.dialect, (number) => `result${number}`);
  const statement = bindParameters(named, parameters, dialect);
  refuseUnlessReading(statement.sql);

  const late = new AbortController();
  const timedOut = sleep(limits.timeoutMs, undefined, { signal: late.signal }).then(() => {
    const seconds = limits.timeoutMs / 1000;
    throw new SourceError("timeout", `The statement took longer than ${seconds} s and was ended`);
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

/** Each takes a processor and some hundred megabytes. Several parts of this process load this module. */
const most = 2;
const shared = globalThis as { plumblineScratch?: { running: number; waiting: Set<() => void> } };
shared.plumblineScratch ??= { running: 0, waiting: new Set() };
const turns = shared.plumblineScratch;

/** First come, first served; who has waited too long leaves. */
async function inTurn<T>(timedOut: Promise<never>, work: () => Promise<T>): Promise<T> {
  if (turns.running < most) turns.running++;
  else {
    const { promise, resolve } = Promise.withResolvers<void>();
    turns.waiting.add(resolve);
    await Promise.race([promise, timedOut]).catch((error) => {
      // A turn that came at the same moment is passed on.
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
  const { NODE_ENV, SystemRoot } = process.env;
  // The bundler would look for it when the pages are built; it is loaded as it is.
  const child = fork(
    /* turbopackIgnore: true */ path.join(process.cwd(), "server/queries/scratch-process.ts"),
    [],
    {
      execArgv: ["--import", "tsx"],
      env: { NODE_ENV, TZ: "UTC", ...(SystemRoot && { SystemRoot }) },
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    },
  );
  try {
    const answer = resultOf(child);
    answer.catch(() => {});
    const told = tell(child, statement, tables, limits);
    // Who has died cannot be told anything; why it died is what counts.
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

function resultOf(child: ChildProcess): Promise<ResultSet> {
  return new Promise((resolve, reject) => {
    const rows: ResultSet["rows"] = [];
    child.on("message", (message: FromScratch) => {
      if (message.say === "rows") rows.push(...message.rows);
      else if (message.say === "failed") reject(new SourceError(message.kind, message.message));
      else {
        const { columns, truncated, rowCount } = message;
        resolve({ columns, rows, truncated, rowCount });
      }
    });
    child.on("error", reject);
    child.on("exit", () =>
      reject(new SourceError("statement", "The statement was ended: it may have needed too much memory")),
    );
  });
}
