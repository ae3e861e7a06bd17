import { partsOf } from "../../dialects/scan.ts";
import { snowflake } from "../../dialects/snowflake.ts";
import { SourceError } from "../engine.ts";
import { type Token, tokensOf } from "../tokens.ts";

/**
 * Accepts one read-only statement before anything is sent. Snowflake has no read-only transactions; the server is told to
 * run one statement only, and the rights of the role are the boundary.
 */

/** Throws SourceError "refused" with what is not allowed. */
export function requireReadOnly(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  const tokens = [...tokensOf(sql, snowflake.lexis)];
  while (tokens.at(-1)?.kind === "end") tokens.pop();
  const first = tokens.find(({ kind }) => kind !== "open");
  if (!first) throw refused("The statement is empty");
  if (tokens.some(({ kind }) => kind === "end")) throw refused("Only one statement is allowed");
  if (!isWord(first, "SELECT") && !isWord(first, "WITH"))
    throw refused("Only read statements are allowed: SELECT or WITH");
  for (const { text, isOpaque } of partsOf(sql, snowflake)) {
    if (isOpaque) continue;
    if (text.includes("->>")) throw refused("The operator ->> is not allowed: it runs another statement");
    if (text.includes("@")) throw refused("Stages (@…) must not be read: only tables and views");
  }
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    // A sequence goes on with each statement that asks it.
    if (token.kind === "dot" && (isWord(next, "NEXTVAL") || isQuoted(next, "NEXTVAL")))
      throw refused("NEXTVAL is not allowed: it changes the sequence");
    if (isWord(token, "FOR") && isWord(next, "UPDATE"))
      throw refused("FOR UPDATE is not allowed: it locks rows");
    if (isWord(token, "INTO") && !isName(tokens[at - 1], "AS"))
      throw refused("INTO is not allowed: results cannot be written elsewhere");
  }
}

const isWord = (token: Token | undefined, text: string) => token?.kind === "word" && token.text === text;
const isQuoted = (token: Token | undefined, text: string) => token?.kind === "quoted" && token.text === text;
const isName = (token: Token | undefined, text: string) => isWord(token, text) || token?.kind === "dot";

const refused = (message: string) => new SourceError("refused", message);
