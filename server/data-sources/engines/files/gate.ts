import { duckdb } from "../../dialects/duckdb.ts";
import { SourceError } from "../engine.ts";
import { tokensOf } from "../tokens.ts";

/**
 * Accepts one statement that reads. The first of two layers, and the one that explains its reasons; the other is the
 * process, in which a statement can reach nothing but the files of the tables that it names.
 */

const readingWords = new Set(["select", "with", "values", "table", "from"]);

/** Throws SourceError "refused" with what is not allowed. */
export function requireReadOnly(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  const tokens = [...tokensOf(sql, duckdb.lexis)];
  while (tokens.at(-1)?.kind === "end") tokens.pop();
  const first = tokens.find(({ kind }) => kind !== "open");
  if (!first) throw refused("The statement is empty");
  if (tokens.some(({ kind }) => kind === "end")) throw refused("Only one statement is allowed");
  if (first.kind !== "word" || !readingWords.has(first.text))
    throw refused("Only read statements are allowed: SELECT, WITH, VALUES, TABLE, or FROM");
}

/** The words and names of a statement, and its values: a table is among them if the statement reads it. */
export function namesIn(sql: string, parameters: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const token of tokensOf(sql, duckdb.lexis))
    if (token.kind === "word" || token.kind === "quoted") names.add(duckdb.foldName(token.text));
  for (const value of parameters) if (typeof value === "string") names.add(duckdb.foldName(value));
  return names;
}

const refused = (message: string) => new SourceError("refused", message);
