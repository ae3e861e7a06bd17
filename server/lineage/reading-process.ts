import { keepCompiled } from "../keep-compiled.ts";
import { readStatement } from "./read-statement.ts";
import type { StatementToRead } from "./statement.ts";

/** Parses one statement after the other, apart from the service: SQL can keep a parser busy for longer than anyone waits. */
process.on("message", (statement: StatementToRead) => process.send?.(readStatement(statement)));
process.once("disconnect", () => process.exit());
keepCompiled();
