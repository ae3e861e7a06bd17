import { bigquery } from "../../dialects/bigquery.ts";
import { SourceError } from "../engine.ts";
import { tokensOf } from "../tokens.ts";

/**
 * Accepts one statement that reads, before anything is sent. BigQuery has no read-only mode: the dry run must say that the
 * statement is a SELECT as well, and the roles of the service account are the security boundary. Throws SourceError
 * "refused" with what is not allowed.
 */
export function requireReadOnly(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  const tokens = [...tokensOf(sql, bigquery.lexis)];
  while (tokens.at(-1)?.kind === "end") tokens.pop();
  const first = tokens.find(({ kind }) => kind !== "open");
  if (!first) throw refused("The statement is empty");
  if (tokens.some(({ kind }) => kind === "end")) throw refused("Only one statement is allowed");
  if (first.kind !== "word" || (first.text !== "select" && first.text !== "with"))
    throw refused("Only read statements are allowed: SELECT or WITH");
}

const refused = (message: string) => new SourceError("refused", message);
