import type { Dialect, DialectName, Lexis } from "../data-sources/dialects/dialect.ts";
import { type Token, tokensOf } from "../data-sources/engines/tokens.ts";

/**
 * What PostgreSQL only rejects when a statement starts in its read-only transaction: writes in a WITH, SELECT INTO, and
 * row locks. Planning does not detect them, so the dry run must. Each keyword is told from a name by the words that
 * follow. Other dialects' gates reject all of these themselves.
 */

const hiddenWrites: Record<DialectName, (sql: string, lexis: Lexis) => string | null> = {
  postgresql: onPostgresql,
  mysql: () => null,
  sqlserver: () => null,
  clickhouse: () => null,
  trino: () => null,
  snowflake: () => null,
  bigquery: () => null,
  duckdb: () => null,
};

/** Why the statement would be rejected when it runs, or null. Throws like the gate. */
export function hiddenWrite(sql: string, dialect: Dialect): string | null {
  return hiddenWrites[dialect.name](sql, dialect.lexis);
}

function onPostgresql(sql: string, lexis: Lexis): string | null {
  const tokens = [...tokensOf(sql, lexis)];
  const places = [...tokens.keys()];
  if (places.some((at) => writes(tokens, at))) return "Only read statements are allowed, in every part";
  return places.some((at) => locks(tokens, at)) ? "Only reading is allowed: no row locks" : null;
}

const writingWords = [
  ["insert", "into"],
  ["delete", "from"],
  ["merge", "into"],
];
const lockingWords = [
  ["for", "update"],
  ["for", "share"],
  ["for", "no", "key", "update"],
  ["for", "key", "share"],
];

function writes(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  // As a name, it would follow AS or a dot.
  if (isWord(tokens[at], "into") && !isWord(before, "as") && before?.kind !== "dot") return true;
  if (writingWords.some((words) => follow(tokens, at, words))) return true;
  return isParenthesis(before) && changesRows(tokens, at);
}

const locks = (tokens: readonly Token[], at: number) =>
  lockingWords.some((words) => follow(tokens, at, words));

/**
 * `update [only] name [[as] alias] set`, and likewise `merge` with `using`.
 */
function changesRows(tokens: readonly Token[], start: number): boolean {
  if (!isWord(tokens[start], "update") && !isWord(tokens[start], "merge")) return false;
  let at = start + 1;
  if (isWord(tokens[at], "only")) at++;
  if (!isName(tokens[at])) return false;
  at++;
  while (tokens[at]?.kind === "dot" && isName(tokens[at + 1])) at += 2;
  const goesOn = () => isWord(tokens[at], "set") || isWord(tokens[at], "using");
  if (goesOn()) return true;
  if (isWord(tokens[at], "as")) at++;
  if (isName(tokens[at])) at++;
  return goesOn();
}

const follow = (tokens: readonly Token[], at: number, words: readonly string[]) =>
  words.every((word, place) => isWord(tokens[at + place], word));

const isWord = (token: Token | undefined, text: string) => token?.kind === "word" && token.text === text;
const isName = (token: Token | undefined) => token?.kind === "word" || token?.kind === "quoted";
const isParenthesis = (token: Token | undefined) => token?.kind === "open" || token?.kind === "close";
