import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { die, watchMemory } from "../data-sources/engines/duckdb/memory-watch.ts";
import { partsOfError, Refusal } from "../data-sources/engines/duckdb/read-failures.ts";
import { prepareRead, readPrepared } from "../data-sources/engines/duckdb/read-statement.ts";
import type { Cell, Limits, Statement } from "../data-sources/engines/engine.ts";
import { keepCompiled } from "../keep-compiled.ts";
import type { FromScratch, ToScratch } from "./scratch-messages.ts";
import { ScratchTableLoader } from "./scratch-tables.ts";

/**
 * A process for one scratch statement: it receives tables and a statement, responds, and is killed. It exits by itself
 * if it uses too much memory or its parent disconnects.
 */

/** Memory that DuckDB tracks. */
const memoryLimit = "256MiB";
/** The whole process, including memory that DuckDB does not track. */
const maxProcessBytes = 768 * 1024 * 1024;

const say = (message: FromScratch, then?: () => void) => process.send?.(message, undefined, undefined, then);

const tooMuchMemory = {
  say: "failed",
  kind: "statement",
  message: "The statement needs more memory than allowed",
} as const;

watchMemory(maxProcessBytes, (said) => say(tooMuchMemory, said));
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

async function run(connection: DuckDBConnection, statement: Statement, limits: Limits) {
  const prepared = await prepareRead(connection, statement);
  const pass = (rows: Cell[][]) => void say({ say: "rows", rows });
  say({ say: "result", ...(await readPrepared(prepared, limits, { pass })) });
}

function failureOf(error: unknown): FromScratch {
  const { kind, message, line } = partsOfError(error);
  if (kind === "Out of Memory") return tooMuchMemory;
  if (kind === "Permission")
    return { say: "failed", kind: "refused", message: "Reading files is not allowed" };
  return {
    ...{ say: "failed", kind: error instanceof Refusal ? "refused" : "statement", message },
    ...(line !== undefined && { line }),
  };
}

keepCompiled();
