import { env } from "../../env.ts";
import { duckdb as dialect } from "../dialects/duckdb.ts";
import { isFiles } from "../schema.ts";
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
import { requireReadOnly } from "./files/gate.ts";
import type { Place } from "./files/messages.ts";
import { type ReadingProcess, startReading } from "./files/reading-process.ts";
import { inTurn, Pool } from "./pool.ts";

/** Types of text files are found by reading them. */
const introspectionMs = 180_000;
const testMs = 10_000;
const maxParameters = 1000;

/**
 * Files in a folder, read by DuckDB in processes of their own (files/process.ts). Each statement works on the files as
 * they are when it begins.
 */
export const files: DatabaseEngine = {
  kind: "Files",
  dialect,
  open(connection, options) {
    if (!isFiles(connection)) throw new Error("The connection is that of another kind");
    const { folder, patterns } = connection;
    return openFolder(async () => {
      const { FILES_MEMORY_MB: memoryMb } = env();
      return { folder: await realFolder(folder), patterns, memoryMb };
    }, options);
  },
};

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
