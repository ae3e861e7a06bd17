import { type DuckDBConnection, DuckDBInstance, StatementType } from "@duckdb/node-api";
import type { Cell, Limits, Statement } from "../data-sources/engines/engine.ts";
import { firstLine } from "../data-sources/engines/failures.ts";
import { sizeOf } from "../data-sources/engines/row-size.ts";
import { type FromScratch, rowsInMessage, type ToScratch } from "./scratch-messages.ts";
import { ScratchTableLoader } from "./scratch-tables.ts";
import { cellOf, typeNameOf } from "./scratch-values.ts";

/**
 * A process for one scratch statement: it receives tables and a statement, responds, and is killed. It exits by itself
 * if it uses too much memory or its parent disconnects.
 */

/** Memory that DuckDB tracks. */
const memoryLimit = "256MiB";
/** The whole process, including memory that DuckDB does not track. */
const maxProcessBytes = 768 * 1024 * 1024;
const watchEveryMs = 10;

const say = (message: FromScratch, then?: () => void) => process.send?.(message, undefined, undefined, then);
/** A normal exit would wait for busy threads. */
const die = () => process.kill(process.pid, "SIGKILL");

const tooMuchMemory = {
  say: "failed",
  kind: "statement",
  message: "The statement needs more memory than allowed",
} as const;

let isDying = false;
setInterval(() => {
  if (isDying || process.memoryUsage.rss() < maxProcessBytes) return;
  isDying = true;
  say(tooMuchMemory, die);
  setTimeout(die, 200);
}, watchEveryMs);
process.on("disconnect", die);

const opened = open();
let loader: ScratchTableLoader | null = null;

let last: Promise<void> = Promise.resolve();
process.on("message", (message: ToScratch) => {
  last = last.then(() => obey(message)).catch((error) => void say(failureOf(error)));
});

async function obey(message: ToScratch): Promise<void> {
  const connection = await opened;
  if (message.say === "rows") {
    loader?.append(message.rows);
    return;
  }
  await loader?.finish();
  loader = null;
  if (message.say === "table")
    loader = await ScratchTableLoader.start(connection, message.name, message.columns);
  else await run(connection, message.statement, message.limits);
}

/** In memory and isolated: no files, no extensions, and no settings that can be changed. */
async function open(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: memoryLimit,
    threads: "1",
    // Otherwise data that does not fit into memory would be written to disk.
    temp_directory: "",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
    // Must be last: it locks the settings above.
    enable_external_access: "false",
  });
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  await connection.run("set lock_configuration = true");
  return connection;
}

async function run(connection: DuckDBConnection, { sql, parameters }: Statement, limits: Limits) {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw refused("Only one statement is allowed");
  const prepared = await statements.prepare(0);
  if (prepared.statementType !== StatementType.SELECT) throw refused("Only read statements are allowed");
  parameters.forEach((value, index) => {
    const position = index + 1;
    if (value === null) prepared.bindNull(position);
    else if (typeof value === "boolean") prepared.bindBoolean(position, value);
    else if (typeof value === "string") prepared.bindVarchar(position, value);
    else if (Number.isSafeInteger(value)) prepared.bindBigInt(position, BigInt(value));
    else prepared.bindDouble(position, value);
  });
  const result = await prepared.stream();
  const types = result.columnTypes();
  const columns = result.columnNames().map((name, index) => ({ name, type: typeNameOf(types[index]) }));

  const { maxRows, maxBytes, countAll = false } = limits;
  let kept: Cell[][] = [];
  let keptCount = 0;
  let count = 0;
  let bytes = 0;
  let truncated = false;
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    count += chunk.rowCount;
    for (let index = 0; index < chunk.rowCount && !truncated; index++) {
      truncated = keptCount >= maxRows;
      if (truncated) break;
      const row = chunk.getRowValues(index).map((value, column) => cellOf(value, types[column]));
      bytes += sizeOf(row);
      truncated = bytes > maxBytes;
      if (truncated) break;
      kept.push(row);
      keptCount++;
      if (kept.length < rowsInMessage) continue;
      say({ say: "rows", rows: kept });
      kept = [];
    }
    if (truncated && !countAll) break;
  }
  say({ say: "rows", rows: kept });
  say({ say: "result", columns, truncated, rowCount: truncated && countAll ? count : keptCount });
}

const refused = (message: string) => Object.assign(new Error(message), { isRefusal: true });

/** DuckDB starts its messages with their kind: `Binder Error: Referenced column "x" not found`. */
function failureOf(error: unknown): FromScratch {
  const line = firstLine(error instanceof Error ? error.message : error);
  const [, kind = "", message = line] = /^([A-Z][A-Za-z ]*) Error: (.*)$/.exec(line) ?? [];
  if (kind === "Out of Memory") return tooMuchMemory;
  if (kind === "Permission")
    return { say: "failed", kind: "refused", message: "Reading files is not allowed" };
  const isRefusal = error instanceof Error && "isRefusal" in error;
  const place = /^LINE (\d+): /m.exec(error instanceof Error ? error.message : "")?.[1];
  return {
    ...{ say: "failed", kind: isRefusal ? "refused" : "statement", message },
    ...(place !== undefined && { line: Number(place) }),
  };
}
