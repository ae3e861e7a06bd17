import { realpath } from "node:fs/promises";
import { env } from "../../env.ts";
import { duckdb as dialect } from "../dialects/duckdb.ts";
import { isFolder, isHttps, isS3 } from "../kinds.ts";
import {
  type CheckLimits,
  type DatabaseEngine,
  type Limits,
  type Session,
  type Source,
  SourceError,
  type SourceOptions,
  type Statement,
} from "./engine.ts";
import { allowedFolder, notAllowed } from "./files/allowed-folder.ts";
import { missingFolder } from "./files/failures.ts";
import { rejectOutward } from "./files/functions.ts";
import { namesIn, requireReadOnly } from "./files/gate.ts";
import type { Place } from "./files/messages.ts";
import { type ReadingProcess, startReading } from "./files/reading-process.ts";
import { httpsStore } from "./objects/https.ts";
import { openCache } from "./objects/object-cache.ts";
import type { ObjectStore } from "./objects/object-store.ts";
import { s3Store } from "./objects/s3.ts";
import { inTurn, Pool } from "./pool.ts";

/** Types of text files are found by reading them. */
const introspectionMs = 180_000;
const testMs = 10_000;
const maxParameters = 1000;

/**
 * Files in a folder, read by DuckDB in processes of their own (files/process.ts). Each statement works on the files as
 * they are when it begins. Those that are elsewhere are fetched into a folder first (objects/object-cache.ts).
 */
export const files: DatabaseEngine = {
  kind: "Files",
  dialect,
  open(connection, options) {
    if (isS3(connection)) return openObjects(s3Store(connection), connection.patterns, options);
    if (isHttps(connection)) return openObjects(httpsStore(connection), connection.patterns, options);
    if (!isFolder(connection)) throw new Error("The connection is that of another kind");
    const { folder, patterns } = connection;
    return openFolder(async () => {
      const { FILES_MEMORY_MB: memoryMb } = env();
      return { folder: await realFolder(folder), patterns, memoryMb };
    }, options);
  },
};

/** Reads objects of a store: what is asked waits until what it may read is in a folder here. */
function openObjects(store: ObjectStore, patterns: readonly string[], options: SourceOptions = {}): Source {
  const { cache, close } = openCache(options.id, store, patterns);
  const folder = openFolder(async () => {
    const { FILES_MEMORY_MB: memoryMb } = env();
    return { folder: await realpath(cache.folder), patterns, isFilled: true, memoryMb };
  }, options);
  const onceThere = (session: Session): Session => {
    const { read, check, explain } = session;
    const ready = async <L extends Pick<Limits, "timeoutMs" | "signal">, T>(
      { sql, parameters, ownSql }: Statement,
      limits: L,
      work: (left: L) => Promise<T>,
    ): Promise<T> => {
      // What is rejected needs nothing to be fetched.
      if (!ownSql) folder.gate?.(sql);
      return cache.with(namesIn(sql, parameters), limits, (left) => work({ ...limits, ...left }));
    };
    return {
      read: (statement, limits) => ready(statement, limits, (left) => read(statement, left)),
      ...(check && {
        check: (statement, limits) => ready(statement, limits, (left) => check(statement, left)),
      }),
      ...(explain && {
        explain: (statement, limits) => ready(statement, limits, (left) => explain(statement, left)),
      }),
    };
  };
  return {
    ...folder,
    test: () => testStore(store),
    introspect: (signal) =>
      cache.with("everything", { timeoutMs: introspectionMs, signal }, () => folder.introspect(signal)),
    session: (work) => folder.session((session) => work(onceThere(session))),
    async close() {
      close();
      await folder.close();
    },
  };
}

async function testStore(store: ObjectStore) {
  const ending = new AbortController();
  const late = new SourceError("timeout", `There was no complete answer within ${testMs / 1000} s`);
  const timer = setTimeout(() => ending.abort(late), testMs);
  try {
    return { message: await store.test(ending.signal) };
  } finally {
    clearTimeout(timer);
  }
}

/** Its real path, looked at each time a process is started, as links can be changed. */
async function realFolder(folder: string): Promise<string> {
  const found = await allowedFolder(folder, env().FILES_ALLOW);
  if (found === "refused") throw new SourceError("unreachable", `The folder ${notAllowed}`);
  if (found === "missing") throw new SourceError("unreachable", missingFolder);
  return found.real;
}

/** Reads a place that the caller has decided about. */
export function openFolder(
  locate: () => Promise<Omit<Place, "spillFolder">>,
  { allowedFunctions = [] }: SourceOptions = {},
): Source {
  const allowed = new Set(allowedFunctions);
  const pool = new Pool(async () => startReading(await locate()));
  const gate = (sql: string) => {
    requireReadOnly(sql);
    rejectOutward(sql, allowed);
  };
  return {
    test: () =>
      pool.use(async (borrow) => {
        const { answer } = await (await borrow()).ask({ say: "test" }, { timeoutMs: testMs });
        return answer;
      }),
    introspect: (signal) =>
      pool.use(async (borrow) => {
        const limits = { timeoutMs: introspectionMs, signal };
        return (await (await borrow()).ask({ say: "introspect" }, limits)).answer;
      }),
    gate,
    session: (work) => pool.use((borrow) => work(sessionOn(borrow, gate))),
    close: async () => pool.close(),
  };
}

function sessionOn(borrow: () => Promise<ReadingProcess>, gate: (sql: string) => void): Session {
  const next = inTurn(borrow);
  const pass = ({ sql, parameters, ownSql = false }: Statement) => {
    if (parameters.length > maxParameters)
      throw new SourceError("refused", "The statement has too many parameters");
    if (ownSql) requireReadOnly(sql);
    else gate(sql);
  };
  return {
    async read(statement, limits) {
      pass(statement);
      const { answer, rows } = await next((reader) =>
        reader.ask({ say: "read", statement, limits: sent(statement, limits) }, limits),
      );
      return { ...answer, rows };
    },
    async check(statement, limits: CheckLimits) {
      pass(statement);
      return (await next((reader) => reader.ask({ say: "check", statement, limits }, limits))).answer;
    },
    async explain(statement, limits) {
      pass(statement);
      return (await next((reader) => reader.ask({ say: "explain", statement }, limits))).answer;
    },
  };
}

/** A signal cannot be sent to a process. */
function sent({ answersOneRow }: Statement, { timeoutMs, maxRows, maxBytes, countAll }: Limits) {
  return { timeoutMs, maxRows, maxBytes, ...(countAll && !answersOneRow && { countAll }) };
}
