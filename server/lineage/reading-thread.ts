import { parentPort } from "node:worker_threads";
import { readStatement } from "./read-statement.ts";
import type { StatementToRead } from "./statement.ts";

/** Parses one statement after the other, apart from the service: SQL can keep a parser busy for longer than anyone waits. */
parentPort?.on("message", (statement: StatementToRead) => parentPort?.postMessage(readStatement(statement)));
