import type { Dialect } from "../data-sources/engines/engine.ts";
import { type Token, tokensOf } from "../data-sources/engines/postgresql/tokens.ts";

/**
 * What PostgreSQL refuses only when a statement begins to run, in its read-only transaction: writing in a WITH,
 * SELECT INTO, and locks on rows. Planning does not find it, so that a dry run has to. The words after each make it
 * one that is no name. Other dialects' gates refuse all of these themselves.
 */

/** Why the statement would be refused when it runs; null where nothing of the kind is seen. Throws what the gate does. */
export function hiddenWrite(sql: string, dialect: Dialect): string | null {
  if (dialect !== "postgresql") return null;
  const tokens = [...tokensOf(sql)];
  const places = [...tokens.keys()];
  if (places.some((at) => writes(tokens, at)))
    return "Only a statement that reads is allowed, and so is each of its parts";
  return places.some((at) => locks(tokens, at)) ? "Only reading is allowed: no lock on rows" : null;
}

const wordsThatWrite = [
  ["insert", "into"],
  ["delete", "from"],
  ["merge", "into"],
];
const wordsThatLock = [
  ["for", "update"],
  ["for", "share"],
  ["for", "no", "key", "update"],
  ["for", "key", "share"],
];

function writes(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  // As a name it would follow AS or a dot.
  if (isWord(tokens[at], "into") && !isWord(before, "as") && before?.kind !== "dot") return true;
  if (wordsThatWrite.some((words) => follow(tokens, at, words))) return true;
  return isParenthesis(before) && changesRows(tokens, at);
}

const locks = (tokens: readonly Token[], at: number) =>
  wordsThatLock.some((words) => follow(tokens, at, words));

/** `update [only] name [[as] alias] set`, and `merge` in the same way with `using`. */
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
