import { postgresql } from "../../dialects/postgresql.ts";
import { SourceError } from "../engine.ts";
import { tokensOf } from "../tokens.ts";

/**
 * Accepts one read-only statement before anything is sent. The first of three layers, and the one that explains its
 * reasons; the others are the read-only transaction and the login's rights, which alone are a security boundary.
 * functions.ts decides which functions the statement may call, using the server's catalog.
 */

const readingWords = new Set(["select", "with", "values", "table"]);

/** Throws SourceError "refused" with what is not allowed. */
export function requireReadOnly(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  let firstWord: string | null = null;
  let ended = false;
  for (const token of tokensOf(sql, postgresql.lexis)) {
    if (token.kind === "end") {
      ended ||= firstWord !== null;
      if (firstWord === null) throw refused("The statement is empty");
      continue;
    }
    if (ended) throw refused("Only one statement is allowed");
    if (firstWord === null && token.kind !== "open") {
      firstWord = token.kind === "word" ? token.text : "";
      if (!readingWords.has(firstWord))
        throw refused("Only read statements are allowed: SELECT, WITH, VALUES, or TABLE");
    }
  }
  if (firstWord === null) throw refused("The statement is empty");
}

const refused = (message: string) => new SourceError("refused", message);
