import type { Dialect } from "../data-sources/dialects/dialect.ts";
import { lexemesOf, nameIn } from "../data-sources/dialects/scan.ts";

/** Prepares SQL for the parser, and finds what it names without one. Pure, and linear for any input. */

type Token = { start: number; end: number; text: string; word: string; isName: boolean };

/** Every token but spaces and comments, as written; `word` is in lower case and without quotes. */
function tokensOf(sql: string, { lexis }: Pick<Dialect, "lexis">): Token[] {
  const tokens: Token[] = [];
  for (const lexeme of lexemesOf(sql, lexis)) {
    const { kind, start, end } = lexeme;
    if (kind === "space" || kind === "comment") continue;
    const isName = kind === "word" || kind === "name";
    const text = sql.slice(start, end);
    tokens.push({ start, end, text, isName, word: isName ? nameIn(sql, lexeme).toLowerCase() : text });
  }
  return tokens;
}

/**
 * The query in a statement that defines a view, without what parsers stumble over: placeholders become a number, and
 * parentheses around joins go (`from ((a join b on …) join c on …)`, as servers write views; without them, it means the same).
 */
export function readableSql(sql: string, dialect: Pick<Dialect, "lexis">): string {
  const tokens = tokensOf(sql, dialect);
  const from = startOfQuery(tokens);
  const cuts = [...placeholders(tokens), ...joinParentheses(tokens)].sort((a, b) => a.start - b.start);
  let text = "";
  let at = from;
  for (const { start, end, by } of cuts) {
    if (start < at) continue;
    text += sql.slice(at, start) + by;
    at = end;
  }
  const end = tokens.findLast((token) => token.text !== ";")?.end ?? 0;
  return text + sql.slice(at, Math.max(at, end));
}

type Cut = { start: number; end: number; by: string };

/** `{{name}}` as a number, which is allowed nearly everywhere that a value is. */
function placeholders(tokens: readonly Token[]): Cut[] {
  return tokens.flatMap(({ start }, at) => {
    const isOne =
      [0, 1].every((ahead) => tokens[at + ahead]?.text === "{") &&
      tokens[at + 2]?.isName &&
      [3, 4].every((ahead) => tokens[at + ahead]?.text === "}");
    return isOne ? { start, end: tokens[at + 4]?.end ?? start, by: "1" } : [];
  });
}

/** After the AS of `create view … as`; 0 for any other statement. */
function startOfQuery(tokens: readonly Token[]): number {
  if (keywordOf(tokens[0]) !== "create") return 0;
  let depth = 0;
  for (const [place, token] of tokens.entries()) {
    const { text } = token;
    if (text === "(") depth++;
    else if (text === ")") depth--;
    else if (depth === 0 && keywordOf(token) === "as") {
      const next = tokens[place + 1];
      if (next && /^(select|with|\()$/.test(next.word)) return next.start;
    }
  }
  return 0;
}

/** In lower case; empty for what is none because it is quoted. */
const keywordOf = (token: Token | undefined): string => {
  const text = token?.text.toLowerCase() ?? "";
  return text === token?.word ? text : "";
};

type Frame = { at: number; isTable: boolean; hasJoin: boolean; startsQuery: boolean };

function joinParentheses(tokens: readonly Token[]): Cut[] {
  const dropped: Token[] = [];
  const frames: Frame[] = [];
  for (const [place, token] of tokens.entries()) {
    const { text } = token;
    const frame = frames.at(-1);
    if (text === "(") {
      const before = tokens[place - 1];
      const isInner = before?.text === "(" && frame?.isTable === true;
      const isTable = isInner || /^(from|join|straight_join)$/.test(keywordOf(before));
      const startsQuery = /^(select|with|values|table)$/.test(keywordOf(tokens[place + 1]));
      frames.push({ at: place, isTable, hasJoin: false, startsQuery });
    } else if (text === ")") {
      frames.pop();
      if (!frame?.isTable || frame.startsQuery || !frame.hasJoin) continue;
      dropped.push(tokens[frame.at] as Token, tokens[place] as Token);
      const around = frames.at(-1);
      if (around) around.hasJoin = true;
    } else if (frame && /^(join|straight_join)$/.test(keywordOf(token))) frame.hasJoin = true;
  }
  return dropped.map(({ start, end }) => ({ start, end, by: " " }));
}

/** A table as SQL names it: the parts of its name, unquoted and in lower case, the table's own last. */
export type WrittenName = readonly string[];

/**
 * The names right after FROM and JOIN, as a check on what a parser says; a table function is none of them. Those of common
 * table expressions are among them.
 */
export function namesAfterFrom(sql: string, dialect: Pick<Dialect, "lexis">): WrittenName[] {
  const tokens = tokensOf(sql, dialect);
  const names: WrittenName[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!/^(from|join|straight_join)$/.test(keywordOf(tokens[at]))) continue;
    let next = at + 1;
    while (tokens[next]?.text === "(" || /^(only|lateral)$/.test(tokens[next]?.word ?? "")) next++;
    const parts: string[] = [];
    while (tokens[next]?.isName) {
      parts.push(tokens[next]?.word ?? "");
      if (tokens[next + 1]?.text !== ".") break;
      next += 2;
    }
    if (parts.length > 0 && tokens[next + 1]?.text !== "(") names.push(parts);
  }
  return names;
}

/** Every word and name of a statement in lower case, to look up which known tables it may name. */
export function wordsIn(sql: string, dialect: Pick<Dialect, "lexis">): Set<string> {
  return new Set(tokensOf(sql, dialect).flatMap(({ word, isName }) => (isName ? word : [])));
}
