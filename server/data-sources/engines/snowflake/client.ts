import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { OutboundRefusal, type OutboundResponse, sendOutbound } from "../../../outbound/request.ts";
import type { Cost } from "../../cost.ts";
import { nameAsMeant } from "../../dialects/snowflake.ts";
import {
  BudgetSpent,
  isSourceError,
  type Limits,
  type Parameter,
  type ResultSet,
  type SnowflakeConnectionWithSecret,
  SourceError,
  type Statement,
} from "../engine.ts";
import { brokenConnection } from "../failures.ts";
import { sizeOf } from "../row-size.ts";
import { addressOf } from "./address.ts";
import { failureOf, isBusy } from "./failures.ts";
import { Login } from "./login.ts";
import { type ColumnFact, cellOf, typeName } from "./values.ts";

/**
 * Snowflake's SQL API (version 2), as its documentation describes it: one statement is one request, which is answered at
 * once with a handle. The result is asked for by the handle, and so the statement can be cancelled from the beginning.
 *
 * This is not the `snowflake-sdk` package. That brings 180 packages and 122 MB, loads for more than a second, asks cloud
 * metadata addresses and certificate authorities by itself, and fetches large results from storage whose address the
 * server names, all past the policy for outbound requests. Here, one host is reached, and only in the ways below.
 */

const maxParameters = 1000;
/** How much longer than its time a statement may take until it is given up: the server ends it by itself. */
const graceMs = 3_000;
/** How large a response may be beyond the limit on bytes: a partition of a result is what the server makes of it. */
const overshootBytes = 64 * 1024 * 1024;
/** Between questions whether a statement has ended. */
const pollsMs = [50, 100, 200, 400, 700];
const pollMs = 1_000;
/** Before a request is made again that the server was too busy for. */
const busyPausesMs = [500, 1_500, 4_000];
/** For asking about a statement, or cancelling it. */
const exchangeMs = 60_000;

const unzip = promisify(gunzip);

export type Client = {
  /** Runs one statement. Throws SourceError, or the reason of an aborted signal. */
  read(statement: Statement, limits: Limits, isFree?: boolean): Promise<ResultSet>;
  /** Ends running statements. */
  close(): Promise<void>;
};

type Answer = { status: number; body: Record<string, unknown> };
type ResultOf = {
  handle: string;
  columns: ColumnFact[];
  numRows: number;
  partitions: number;
  data: unknown[][];
};

export function connect(
  target: SnowflakeConnectionWithSecret,
  reportCost?: (cost: Cost) => Promise<void>,
): Client {
  const login = new Login(target);
  const base = addressOf(target.account);
  const closing = new AbortController();

  const send = async (method: "GET" | "POST", path: string, given: Sending): Promise<Answer> => {
    const headers = {
      accept: "application/json",
      "accept-encoding": "gzip",
      "user-agent": "plumbline/1.0",
      ...(await login.headers()),
      ...(given.body !== undefined && { "content-type": "application/json" }),
    };
    const asked = { method, url: new URL(path, base), headers, ...given };
    const response = await sendOutbound({ ...asked, timeoutMs: given.timeoutMs });
    return { status: response.status, body: await jsonIn(response, given.maxBytes) };
  };

  /** Asks again while the server is busy, as long as the statement has time. */
  const exchange = async (method: "GET" | "POST", path: string, given: Sending): Promise<Answer> => {
    for (let tries = 0; ; tries++) {
      // By its id and this word the server knows a statement that it has already begun.
      const isAgain = tries > 0 && path.includes("requestId=");
      const answer = await send(method, isAgain ? `${path}&retry=true` : path, given);
      const pauseMs = busyPausesMs[tries];
      if (!isBusy(answer.status) || pauseMs === undefined) return answer;
      await pause(pauseMs, undefined, { signal: given.signal }).catch(() => given.signal.throwIfAborted());
    }
  };

  /** What has been asked for is no longer waited for, so nobody hears whether it worked. */
  const cancel = (handle: string) => {
    send("POST", `/api/v2/statements/${handle}/cancel`, {
      ...{ timeoutMs: 10_000, maxBytes: 1024 * 1024, signal: new AbortController().signal },
    }).catch(() => {});
  };

  const run = async (statement: Statement, limits: Limits): Promise<ResultSet> => {
    if (statement.parameters.length > maxParameters)
      throw new SourceError("refused", "The statement has too many parameters");
    limits.signal?.throwIfAborted();
    closing.signal.throwIfAborted();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(timedOut(limits)), limits.timeoutMs + graceMs);
    const signal = AbortSignal.any([late.signal, closing.signal, ...(limits.signal ? [limits.signal] : [])]);
    const given = { timeoutMs: exchangeMs, maxBytes: limits.maxBytes + overshootBytes, signal };
    let handle: string | null = null;
    try {
      const path = `/api/v2/statements?requestId=${randomUUID()}&async=true`;
      let answer = await raced(
        signal,
        exchange("POST", path, { ...given, body: bodyOf(target, statement, limits) }),
      );
      handle = handleIn(answer);
      for (let asked = 0; answer.status === 202 && handle !== null; asked++) {
        await pause(pollsMs[asked] ?? pollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
        answer = await raced(signal, exchange("GET", `/api/v2/statements/${handle}`, given));
      }
      if (answer.status !== 200) throw failureOf(answer, limits);
      const result = resultIn(answer);
      handle = null;
      return await rowsOf(result, limits, async (partition) => {
        const path = `/api/v2/statements/${result.handle}?partition=${partition}`;
        const more = await raced(signal, exchange("GET", path, given));
        if (more.status !== 200) throw failureOf(more, limits);
        return rowsIn(more);
      });
    } catch (error) {
      if (handle !== null && signal.aborted) cancel(handle);
      signal.throwIfAborted();
      if (isSourceError(error)) throw error;
      if (error instanceof OutboundRefusal)
        throw new SourceError(error.reason === "size" ? "statement" : "unreachable", messageOf(error));
      throw brokenConnection(error, "The server did not respond as Snowflake does");
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    async read(statement, limits, isFree = false) {
      const { maxCost } = limits;
      // What is left of the budget is an end of the statement's time, too.
      const isCapped = maxCost !== undefined && maxCost * 1000 < limits.timeoutMs;
      const startedAt = performance.now();
      let ran = true;
      try {
        return await run(
          statement,
          isCapped ? { ...limits, timeoutMs: Math.max(1000, maxCost * 1000) } : limits,
        );
      } catch (error) {
        if (isSourceError(error) && error.kind === "unreachable") ran = false;
        if (isCapped && isSourceError(error) && error.kind === "timeout")
          throw new BudgetSpent(
            "The statement was cancelled: the daily budget of this data source is spent. Statements run again from 00:00 UTC, or when the budget is raised",
          );
        throw error;
      } finally {
        const amount = (performance.now() - startedAt) / 1000;
        if (ran && !isFree) await reportCost?.({ unit: "seconds", amount });
      }
    },
    async close() {
      closing.abort(new SourceError("unreachable", "The data source was closed or changed"));
    },
  };
}

type Sending = { body?: string; timeoutMs: number; maxBytes: number; signal: AbortSignal };

/** A request that nobody waits for any more may still end by itself. */
async function raced<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    work.catch(() => {});
  }
}

/**
 * The session of a statement is its own: in UTC, with one statement, and no more rows than are kept. Names of the
 * connection are folded here, because the API takes them as they are.
 */
function bodyOf(
  { database, schema, warehouse, role, queryTag }: SnowflakeConnectionWithSecret,
  { sql, parameters, answersOneRow }: Statement,
  { timeoutMs, maxRows, countAll }: Limits,
): string {
  const isLimited = !countAll && !answersOneRow;
  return JSON.stringify({
    statement: sql,
    timeout: Math.max(1, Math.ceil(timeoutMs / 1000)),
    database: nameAsMeant(database),
    schema: nameAsMeant(schema),
    ...(warehouse && { warehouse: nameAsMeant(warehouse) }),
    ...(role && { role: nameAsMeant(role) }),
    ...(parameters.length > 0 && {
      bindings: Object.fromEntries(parameters.map((value, index) => [String(index + 1), boundOf(value)])),
    }),
    parameters: {
      multi_statement_count: "1",
      timezone: "UTC",
      query_tag: queryTag,
      binary_output_format: "HEX",
      // What a cast to text writes, whatever the user has set.
      date_output_format: "YYYY-MM-DD",
      ...(isLimited && { rows_per_resultset: String(maxRows + 1) }),
    },
  });
}

function boundOf(value: Parameter): { type: string; value: string | null } {
  if (typeof value === "boolean") return { type: "BOOLEAN", value: String(value) };
  if (typeof value === "number")
    return { type: Number.isSafeInteger(value) ? "FIXED" : "REAL", value: String(value) };
  return { type: "TEXT", value };
}

async function jsonIn(response: OutboundResponse, maxBytes: number): Promise<Record<string, unknown>> {
  const isZipped = response.headers["content-encoding"] === "gzip";
  try {
    const text = isZipped ? await unzip(response.body, { maxOutputLength: maxBytes }) : response.body;
    const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw new SourceError("statement", "The result is too large to be read");
    // A proxy, or a host that is no account, answers with a page: its status says why.
    return {};
  }
}

function handleIn({ body }: Answer): string | null {
  const { statementHandle: handle } = body;
  return typeof handle === "string" && /^[0-9a-f-]{8,64}$/i.test(handle) ? handle : null;
}

function resultIn(answer: Answer): ResultOf {
  const handle = handleIn(answer);
  const { rowType, numRows, partitionInfo } = (answer.body.resultSetMetaData ?? {}) as Record<
    string,
    unknown
  >;
  if (handle === null || !Array.isArray(rowType))
    throw new SourceError("unreachable", "The server did not respond as Snowflake does");
  return {
    handle,
    columns: rowType as ColumnFact[],
    numRows: Number(numRows ?? 0),
    partitions: Array.isArray(partitionInfo) ? partitionInfo.length : 1,
    data: rowsIn(answer),
  };
}

const rowsIn = ({ body }: Answer) => (Array.isArray(body.data) ? (body.data as unknown[][]) : []);

/** Keeps rows within the limits, and asks for no partition beyond them. */
async function rowsOf(
  { columns, numRows, partitions, data }: ResultOf,
  { maxRows, maxBytes, countAll = false }: Limits,
  partition: (number: number) => Promise<unknown[][]>,
): Promise<ResultSet> {
  const rows: ResultSet["rows"] = [];
  let bytes = 0;
  let truncated = false;
  for (let number = 0; number < partitions && !truncated; number++)
    for (const values of number === 0 ? data : await partition(number)) {
      const row = values.map((value, at) => cellOf(value, columns[at]));
      bytes += sizeOf(row);
      truncated = rows.length >= maxRows || bytes > maxBytes;
      if (truncated) break;
      rows.push(row);
    }
  if (truncated && rows.length === 0 && maxRows > 0)
    throw new SourceError("statement", "A row of the result is too large to be read");
  return {
    columns: columns.map((column) => ({ name: String(column.name ?? ""), type: typeName(column) })),
    rows,
    truncated,
    rowCount: countAll && truncated ? numRows : rows.length,
  };
}

const messageOf = ({ reason, message }: OutboundRefusal) =>
  reason === "size" ? "The result is too large to be read" : message;

const timedOut = ({ timeoutMs }: Limits) =>
  new SourceError("timeout", `The statement took longer than ${timeoutMs / 1000} s and was cancelled`);
