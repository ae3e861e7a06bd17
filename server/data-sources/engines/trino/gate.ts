import { trino } from "../../dialects/trino.ts";
import { SourceError } from "../engine.ts";
import { type Token, tokensOf } from "../tokens.ts";

/**
 * Accepts one read-only statement before anything is sent. No SELECT of Trino writes, but a WITH SESSION in front of one
 * lifts limits, and functions.ts decides which functions are called. The login's rights are the security boundary.
 */

/** Throws SourceError "refused" with what is not allowed. */
export function requireReadOnly(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  const tokens = [...tokensOf(sql, trino.lexis)];
  while (tokens.at(-1)?.kind === "end") tokens.pop();
  const first = tokens.find(({ kind }) => kind !== "open");
  if (!first) throw refused("The statement is empty");
  if (tokens.some(({ kind }) => kind === "end")) throw refused("Only one statement is allowed");
  if (!isWord(first, "select") && !isWord(first, "with"))
    throw refused("Only read statements are allowed: SELECT or WITH");
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    if (isWord(token, "with") && isWord(next, "session"))
      throw refused("WITH SESSION is not allowed: the service sets the limits");
    if (isWord(token, "with") && isWord(next, "function"))
      throw refused("WITH FUNCTION is not allowed: only the server's own functions");
  }
}

const isWord = (token: Token | undefined, text: string) => token?.kind === "word" && token.text === text;

const refused = (message: string) => new SourceError("refused", message);
