import type { Cell, Limits, ResultSet, SourceErrorKind, Statement } from "../data-sources/engines/engine.ts";

/** What the store is told, in this order: each table with its rows, and then what to run. */
export type ToScratch =
  | { say: "table"; name: string; columns: ResultSet["columns"] }
  | { say: "rows"; rows: Cell[][] }
  | { say: "run"; statement: Statement; limits: Limits };

/** What it answers: the rows in parts and then the rest of the result, or why there is none. */
export type FromScratch =
  | { say: "rows"; rows: Cell[][] }
  | { say: "result"; columns: ResultSet["columns"]; truncated: boolean; rowCount: number }
  | { say: "failed"; kind: SourceErrorKind; message: string };

/** As many rows as DuckDB works on at once, and so few that neither side is long at a message. */
export const rowsInMessage = 2048;
