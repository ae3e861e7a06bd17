import { randomUUID } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { performance } from "node:perf_hooks";
import type { Readable } from "node:stream";
import { type ClickHouseClient, type ClickHouseSettings, createClient } from "@clickhouse/client";
import { clickhouse } from "../../dialects/clickhouse.ts";
import { partsOf } from "../../dialects/scan.ts";
import {
  type ConnectionWithPassword,
  type Limits,
  type Parameter,
  type ResultSet,
  SourceError,
  type Statement,
} from "../engine.ts";
import { namingCa } from "../failures.ts";
import { sizeOf } from "../row-size.ts";
import { failureOf, isStop } from "./failures.ts";
import { cellOf, plainTypeOf } from "./values.ts";

/** Parameters travel in the address, which the server limits to a megabyte. */
const maxParameters = 1000;
/** How much longer than its time a statement may take until it is given up: the server ends it, unless it is busy. */
const graceMs = 2_000;
/** How large a row may be beyond the limit on bytes, as JSON is longer than what is counted. */
const overshootBytes = 4 * 1024 * 1024;

/**
 * With every statement: it only reads, in standard SQL as far as the server offers it (an aggregate of nothing is NULL,
 * a cast of NULL as well, an outer join has NULLs), and its values keep every digit.
 */
const settings: ClickHouseSettings & Record<string, string | number> = {
  readonly: "2",
  timeout_overflow_mode: "throw",
  session_timezone: "UTC",
  cancel_http_readonly_queries_on_client_close: 1,
  aggregate_functions_null_for_empty: 1,
  cast_keep_nullable: 1,
  join_use_nulls: 1,
  prefer_column_name_to_alias: 1,
  union_default_mode: "DISTINCT",
  date_time_output_format: "iso",
  output_format_decimal_trailing_zeros: 1,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 1,
  output_format_json_escape_forward_slashes: 0,
};

export type Client = {
  /** Runs one statement. Throws SourceError, or the reason of an aborted signal. */
  read(statement: Statement, limits: Limits): Promise<ResultSet>;
  /** Ends running statements. */
  close(): Promise<void>;
};

export function connect(target: ConnectionWithPassword): Client {
  const { host, port, ssl, trustServerCertificate, caCertificate, user, password, database } = target;
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  // Without a limit of its own on silence: a statement may compute for long before it has something to send.
  const agentOptions = { keepAlive: true };
  const agent = ssl
    ? new HttpsAgent({
        ...agentOptions,
        rejectUnauthorized: !trustServerCertificate,
        ca: caCertificate,
        minVersion: "TLSv1.2",
      })
    : new HttpAgent(agentOptions);
  const client = createClient({
    url: `${ssl ? "https" : "http"}://${authority}`,
    username: user,
    password,
    database,
    application: "Plumbline",
    // Each statement has its own limit.
    request_timeout: 2_000_000_000,
    max_open_connections: 50,
    http_agent: agent,
    compression: { request: false, response: false },
    log: { level: 127 },
  });
  const closing = new AbortController();

  return {
    read: (statement, limits) => read({ client, target }, statement, limits, closing.signal),
    async close() {
      closing.abort(new SourceError("unreachable", "The data source was closed or changed"));
      await client.close();
      agent.destroy();
    },
  };
}

async function read(
  { client, target }: { client: ClickHouseClient; target: ConnectionWithPassword },
  statement: Statement,
  limits: Limits,
  closing: AbortSignal,
): Promise<ResultSet> {
  if (statement.parameters.length > maxParameters)
    throw new SourceError("refused", "The statement has too many parameters");
  limits.signal?.throwIfAborted();
  closing.throwIfAborted();
  const queryId = randomUUID();
  const startedAt = performance.now();
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(timedOut(limits)), limits.timeoutMs + graceMs);
  const signals = [ending.signal, closing, ...(limits.signal ? [limits.signal] : [])];
  const stop = AbortSignal.any(signals);
  try {
    const { stream } = await client.exec({
      query: `${withTypes(statement)}\nformat JSONCompactEachRowWithNamesAndTypes`,
      query_params: Object.fromEntries(statement.parameters.map((value, index) => [`p${index + 1}`, value])),
      query_id: queryId,
      abort_signal: stop,
      clickhouse_settings: settingsFor(statement, limits),
    });
    const abort = () => stream.destroy(stop.reason);
    stop.addEventListener("abort", abort, { once: true });
    if (stop.aborted) abort();
    try {
      return await rowsOf(stream, limits);
    } finally {
      stop.removeEventListener("abort", abort);
      stream.destroy();
    }
  } catch (error) {
    if (stop.aborted) {
      // The server notices that nobody listens only when it has something to send.
      if (!closing.aborted) kill(client, queryId);
      throw stop.reason;
    }
    const isOverdue = performance.now() - startedAt >= limits.timeoutMs;
    throw isOverdue && isStop(error) ? timedOut(limits) : namingCa(failureOf(error), target);
  } finally {
    clearTimeout(timer);
  }
}

/** A login may end its own statements. If it cannot, the server still ends them at their time limit. */
function kill(client: ClickHouseClient, queryId: string): void {
  const query = "kill query where query_id = {id:String} async";
  client.command({ query, query_params: { id: queryId } }).catch(() => {});
}

function settingsFor(
  { answersOneRow }: Statement,
  { timeoutMs, maxRows, countAll }: Limits,
): ClickHouseSettings {
  const isLimited = !countAll && !answersOneRow;
  return {
    ...settings,
    max_execution_time: Math.max(0.001, timeoutMs / 1000),
    // Whole blocks of rows are sent, so this only keeps the server from computing what nobody reads.
    ...(isLimited && { max_result_rows: String(maxRows + 1), result_overflow_mode: "break" as const }),
  };
}

/** The server needs the type of each parameter: that of its value, in place of the dialect's. */
function withTypes({ sql, parameters }: Statement): string {
  const typed = (text: string) =>
    text.replace(/\{p(\d+):String\}/g, (whole, number: string) => {
      const value = parameters[Number(number) - 1];
      return value === undefined ? whole : `{p${number}:${typeOf(value)}}`;
    });
  return partsOf(sql, clickhouse)
    .map(({ text, isOpaque }) => (isOpaque ? text : typed(text)))
    .join("");
}

function typeOf(value: Parameter): string {
  if (value === null) return "Nullable(String)";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "Int64" : "Float64";
  return typeof value === "boolean" ? "Bool" : "String";
}

/** Reads lines as they arrive: the names, the types, and the rows, of which no more are kept than the limits allow. */
async function rowsOf(stream: Readable, limits: Limits): Promise<ResultSet> {
  const { maxRows, maxBytes, countAll = false } = limits;
  const rows: ResultSet["rows"] = [];
  let names: string[] | null = null;
  let types: string[] | null = null;
  let count = 0;
  let bytes = 0;
  let truncated = false;
  const finish = (): ResultSet => ({
    columns: (names ?? []).map((name, at) => ({ name, type: types?.[at] ?? "" })),
    rows,
    truncated,
    rowCount: countAll ? count : rows.length,
  });

  for await (const line of linesOf(stream, maxBytes + overshootBytes)) {
    if (line === tooLarge) {
      if (rows.length === 0 || countAll)
        throw new SourceError("statement", "A row of the result is too large to be read");
      truncated = true;
      return finish();
    }
    if (names === null) names = JSON.parse(line) as string[];
    else if (types === null) types = (JSON.parse(line) as string[]).map(plainTypeOf);
    else {
      count++;
      if (truncated) continue;
      const known: readonly string[] = types;
      const row = (JSON.parse(line) as unknown[]).map((value, at) => cellOf(value, known[at] ?? ""));
      bytes += sizeOf(row);
      truncated = rows.length >= maxRows || bytes > maxBytes;
      if (!truncated) rows.push(row);
      else if (!countAll) return finish();
    }
  }
  return finish();
}

const tooLarge = Symbol("too large");

/** The lines of a result. After it has begun to send rows, the server can only tell an error among them. */
async function* linesOf(stream: Readable, maxLength: number): AsyncGenerator<string | typeof tooLarge> {
  let kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...kept, chunk.subarray(start, end)]).toString();
      kept = [];
      length = 0;
      start = end + 1;
      if (line.startsWith("[")) yield line;
      else if (/\S/.test(line)) throw errorIn(line, chunk.subarray(start));
    }
    kept.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > maxLength) {
      yield tooLarge;
      return;
    }
  }
  const rest = Buffer.concat(kept).toString();
  if (rest.trim() !== "") throw errorIn(rest, Buffer.alloc(0));
}

function errorIn(line: string, rest: Buffer): Error {
  const text = `${line}\n${rest.toString()}`.slice(0, 10_000);
  const [, code, message] = /Code: (\d+)\. DB::Exception: (.*)/s.exec(text) ?? [];
  if (code === undefined) return new SourceError("unreachable", "The server broke off its answer");
  return Object.assign(new Error(message ?? ""), { code });
}

const timedOut = ({ timeoutMs }: Limits) =>
  new SourceError("timeout", `The statement took longer than ${timeoutMs / 1000} s and was cancelled`);
