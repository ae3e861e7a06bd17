import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { catalogIn } from "../../dialects/trino.ts";
import { passwordProblem } from "../../password-over-tls.ts";
import {
  type ConnectionWithPassword,
  isSourceError,
  type Limits,
  type ResultSet,
  SourceError,
  type Statement,
} from "../engine.ts";
import { brokenConnection, namingCa } from "../failures.ts";
import { sizeOf } from "../row-size.ts";
import { type Answered, type Asked, Exchange, TooLarge } from "./exchange.ts";
import { failureOf, isLimitRefused, type ServerError, statusFailure } from "./failures.ts";
import { type Sent, sentAs } from "./statement.ts";
import { cellOf, parsed } from "./values.ts";

/**
 * Trino's client protocol, as its documentation describes it: a statement is posted, and each answer has the address of the
 * next one, until one has none. A request to such an address by DELETE cancels the statement.
 *
 * This is not the `trino-client` package. That follows an address to whatever host it names, with the password, and goes by
 * proxies and redirects; it reads numbers as JavaScript does, so that a BIGINT loses digits; it keeps one session for
 * all statements; and nothing can be cancelled, limited in bytes, or ended by time while it waits. Here, of an
 * address only its path is taken, and the host is always the data source's own.
 */

const maxParameters = 1000;
/** How much longer than its time a statement may take before it is cancelled from here, and how much until the server does. */
const graceMs = 250;
const serverGraceMs = 1_000;
/** How large a response may be beyond the limit on bytes: JSON is longer than what is counted. */
const overshootBytes = 8 * 1024 * 1024;
/** Before a request is made again that the server, or a proxy before it, was too busy for. */
const busyPausesMs = [100, 200, 500, 1_000, 2_000];
const cancelMs = 5_000;

export type Client = {
  /**
   * Runs one statement, or with `prefix`, such as `explain `, what that makes of it. Throws SourceError, or the reason of
   * an aborted signal.
   */
  read(statement: Statement, limits: Limits, prefix?: string): Promise<ResultSet>;
  /** Cancels running statements. */
  close(): Promise<void>;
};

type Page = {
  id: string;
  path: string | null;
  columns: readonly { name: string; type: string }[] | null;
  data: readonly (readonly unknown[])[];
  error: ServerError | null;
  /** As it was sent. */
  bytes: number;
};

export function connect(target: ConnectionWithPassword): Client {
  if (passwordProblem("Trino", target) !== null)
    throw new SourceError(
      "unreachable",
      "Trino takes a password only over TLS: turn on TLS, or leave the password empty",
    );
  const exchange = new Exchange(target);
  const headers = headersOf(target);
  const closing = new AbortController();
  /** Statements that the server has not answered yet, and those that it is asked to cancel. */
  const posting = new Set<Promise<unknown>>();
  const cancelling = new Set<Promise<unknown>>();
  /** Whether the login may set the property that ends a statement on the server. */
  let canLimit = true;

  const ask = async (asked: Asked): Promise<Page> => {
    for (let tries = 0; ; tries++) {
      const answer = await exchange.ask({ ...asked, headers: { ...headers, ...asked.headers } });
      const pauseMs = busyPausesMs[tries];
      if (!isBusy(answer) || pauseMs === undefined) return pageIn(answer);
      await pause(pauseMs, undefined, { signal: asked.signal }).catch(() => asked.signal?.throwIfAborted());
    }
  };

  /** What has been asked for is no longer waited for, so nobody hears whether it worked. */
  const cancel = (path: string) => {
    const signal = AbortSignal.timeout(cancelMs);
    const cancelled = exchange
      .ask({ method: "DELETE", path, headers, maxBytes: overshootBytes, signal })
      .catch(() => {})
      .finally(() => cancelling.delete(cancelled));
    cancelling.add(cancelled);
  };

  const run = async (sent: Sent, limits: Limits): Promise<ResultSet> => {
    const startedAt = performance.now();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(timedOut(limits)), limits.timeoutMs + graceMs);
    const signal = AbortSignal.any([late.signal, closing.signal, ...(limits.signal ? [limits.signal] : [])]);
    const maxBytes = limits.maxBytes + overshootBytes;
    const session = {
      "x-trino-session": `query_max_run_time=${Math.ceil(limits.timeoutMs + serverGraceMs)}ms`,
    };
    let path: string | null = null;
    try {
      const posted = ask({
        ...{ method: "POST", path: "/v1/statement", body: sent.text, maxBytes },
        headers: { "content-type": "text/plain; charset=utf-8", ...(canLimit && session) },
      });
      posting.add(posted);
      posted.finally(() => posting.delete(posted)).catch(() => {});
      // Only its answer says how to cancel it.
      let page = await raced(signal, posted, (begun) => begun.path !== null && cancel(begun.path));
      const taken = new Rows(limits);
      for (;;) {
        ({ path } = page);
        if (page.error) throw failureOf(page.error, sent, limits);
        taken.add(page);
        if (path === null) return taken.result();
        if (taken.isFull) return taken.result();
        page = await ask({ method: "GET", path, maxBytes, signal }).catch((error) => {
          if (!(error instanceof TooLarge)) throw error;
          taken.cut();
          return { ...page, data: [] };
        });
      }
    } catch (error) {
      signal.throwIfAborted();
      const failure = asSourceError(error);
      if (failure.kind === "timeout" && performance.now() - startedAt < limits.timeoutMs)
        throw new SourceError("statement", "The statement was ended by a time limit of the server");
      throw namingCa(failure, target);
    } finally {
      clearTimeout(timer);
      if (path !== null) cancel(path);
    }
  };

  return {
    async read(statement, asked, prefix) {
      if (statement.parameters.length > maxParameters)
        throw new SourceError("refused", "The statement has too many parameters");
      asked.signal?.throwIfAborted();
      closing.signal.throwIfAborted();
      const limits = statement.answersOneRow ? { ...asked, countAll: false } : asked;
      const sent = sentAs(statement, prefix);
      try {
        return await run(sent, limits);
      } catch (error) {
        if (!canLimit || !isLimitRefused(error)) throw error;
        canLimit = false;
        return run(sent, limits);
      }
    },
    async close() {
      closing.abort(new SourceError("unreachable", "The data source was closed or changed"));
      await Promise.race([Promise.allSettled(posting), pause(cancelMs, undefined, { ref: false })]);
      await Promise.all(cancelling);
      exchange.close();
    },
  };
}

/**
 * What each request says: who asks, where names are looked up, and that times have all their digits. Who signs in with a
 * password is not named again: the server knows whom its user mapping makes of them.
 */
function headersOf({ user, password, database }: ConnectionWithPassword): Record<string, string> {
  const { catalog, schema } = catalogIn(database);
  const signsIn = password !== "";
  const named = {
    "x-trino-catalog": catalog,
    "x-trino-schema": schema,
    ...(!signsIn && { "x-trino-user": user }),
  };
  // The server reads headers and credentials as Latin-1.
  if (![user, password, catalog, schema].every((text) => /^[\x20-\x7e\xa0-\xff]*$/.test(text)))
    throw new SourceError(
      "unreachable",
      "Trino takes only Latin characters in the user, the password, the catalog, and the schema",
    );
  const credentials = Buffer.from(`${user}:${password}`, "latin1").toString("base64");
  return {
    ...named,
    "x-trino-source": "Plumbline",
    "x-trino-time-zone": "UTC",
    "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
    "user-agent": "Plumbline",
    ...(signsIn && { authorization: `Basic ${credentials}` }),
  };
}

const isBusy = ({ status }: Answered) => status === 429 || status === 502 || status === 503 || status === 504;

/** Throws SourceError if it is none. */
function pageIn(answer: Answered): Page {
  if (answer.status !== 200) throw statusFailure(answer);
  const fields = parsed(answer.body);
  if (fields === null || typeof fields.id !== "string") throw stranger();
  const { id, columns, data, nextUri, error } = fields;
  return {
    id,
    path: typeof nextUri === "string" ? pathIn(nextUri) : null,
    columns: Array.isArray(columns) ? columns.map(({ name, type }) => ({ name, type })) : null,
    data: Array.isArray(data) ? data : [],
    bytes: answer.body.length,
    error: typeof error === "object" && error !== null ? (error as ServerError) : null,
  };
}

/** Wherever the address leads, the data source's own host is asked, and only for statements. */
function pathIn(address: string): string {
  if (!URL.canParse(address)) throw stranger();
  const { pathname, search } = new URL(address);
  if (!pathname.startsWith("/v1/statement/")) throw stranger();
  return pathname + search;
}

const stranger = () => new SourceError("unreachable", "The server did not respond as Trino does");

function asSourceError(error: unknown): SourceError {
  if (isSourceError(error)) return error;
  if (error instanceof TooLarge) return tooLarge();
  return brokenConnection(error, "The server did not respond as Trino does");
}

/** Rejects with the signal's reason; then what comes too late is given to `abandon`. */
async function raced<T>(signal: AbortSignal, work: Promise<T>, abandon: (late: T) => void): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => {
    reject(signal.reason);
    work.then(abandon, () => {});
  };
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    work.catch(() => {});
  }
}

/** The rows of one statement as they arrive: kept up to the limits, then dropped or counted. */
class Rows {
  readonly #limits: Limits;
  #columns: readonly { name: string; type: string }[] = [];
  #rows: ResultSet["rows"] = [];
  #count = 0;
  #bytes = 0;
  #truncated = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  add({ columns, data, bytes }: Page): void {
    if (columns) this.#columns = columns;
    const { maxRows, maxBytes, countAll } = this.#limits;
    if (this.#truncated && bytes <= maxBytes) {
      // None of its rows can be too large.
      this.#count += data.length;
      return;
    }
    for (const values of data) {
      this.#count++;
      if (this.#truncated && !countAll) return;
      const row = this.#columns.map(({ type }, at) => cellOf(values[at], type));
      const size = sizeOf(row);
      if (size > maxBytes && (countAll || this.#rows.length === 0)) throw tooLarge();
      if (this.#truncated) continue;
      this.#bytes += size;
      this.#truncated = this.#rows.length >= maxRows || this.#bytes > maxBytes;
      if (!this.#truncated) this.#rows.push(row);
    }
  }

  /** A page was too large to be read. */
  cut(): void {
    if (this.#rows.length === 0 || this.#limits.countAll) throw tooLarge();
    this.#truncated = true;
  }

  /** Whether nothing more is needed, not even a count. */
  get isFull(): boolean {
    return this.#truncated && !this.#limits.countAll;
  }

  result(): ResultSet {
    return {
      columns: this.#columns.map(({ name, type }) => ({ name, type })),
      rows: this.#rows,
      truncated: this.#truncated,
      rowCount: this.#limits.countAll ? this.#count : this.#rows.length,
    };
  }
}

const tooLarge = () => new SourceError("statement", "A row of the result is too large to be read");
const timedOut = ({ timeoutMs }: Limits) =>
  new SourceError("timeout", `The statement took longer than ${timeoutMs / 1000} s and was cancelled`);
