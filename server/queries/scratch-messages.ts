import type { Cell, Limits, ResultSet, SourceErrorKind, Statement } from "../data-sources/engines/engine.ts";

/** Messages to the store, in this order: each table with its rows, then the statement. */
export type ToScratch =
  | { say: "table"; name: string; columns: ResultSet["columns"] }
  | { say: "rows"; rows: Cell[][] }
  | { say: "run"; statement: Statement; limits: Limits };

/** Its responses: the rows in batches followed by the rest of the result, or an error. */
export type FromScratch =
  | { say: "rows"; rows: Cell[][] }
  | { say: "result"; columns: ResultSet["columns"]; truncated: boolean; rowCount: number }
  | { say: "failed"; kind: SourceErrorKind; message: string; line?: number };
