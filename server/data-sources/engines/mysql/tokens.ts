import { SourceError } from "../engine.ts";

export type Token =
  /** A key word or a name, in lower case. */
  | { kind: "word"; text: string }
  /** A name in backticks, without them. */
  | { kind: "quoted"; text: string }
  | { kind: "open" | "close" | "dot" | "end" | "other" };

const space = /[ \t\n\r\f\v]+/y;
/** Two hyphens are a comment only before space; `5--3` is 8. Only a line feed ends it. */
const lineComment = /(?:#|--(?=[^!-~\u0080-\uffff]|$))[^\n]*/y;
const wordText = /[A-Za-z0-9_$\u0080-\uffff]+/y;

const single: Record<string, "open" | "close" | "dot" | "end"> = {
  "(": "open",
  ")": "close",
  ".": "dot",
  ";": "end",
};

/**
 * The statement as the server's own scanner cuts it, as far as has to be known, under the session's sql_mode:
 * double quotes hold strings, and backslashes escape. Comments are left out. Throws SourceError "refused".
 */
export function* tokensOf(sql: string): Generator<Token> {
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(sql)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  while (at < sql.length) {
    if (take(space) !== null || take(lineComment) !== null) continue;
    if (sql.startsWith("/*", at)) {
      at = endOfComment(sql, at);
      continue;
    }
    const word = take(wordText);
    if (word !== null) {
      yield { kind: "word", text: word.toLowerCase() };
      continue;
    }
    const character = sql[at];
    if (character === "`") {
      const end = endOfName(sql, at);
      yield {
        kind: "quoted",
        text: sql
          .slice(at + 1, end - 1)
          .replaceAll("``", "`")
          .toLowerCase(),
      };
      at = end;
      continue;
    }
    if (character === "'" || character === '"') {
      at = endOfString(sql, at, character);
      yield { kind: "other" };
      continue;
    }
    at++;
    yield { kind: single[character ?? ""] ?? "other" };
  }
}

/** Behind the closing backtick; a doubled one is part of the name. */
function endOfName(sql: string, start: number): number {
  for (let from = start + 1; ; ) {
    const end = sql.indexOf("`", from);
    if (end < 0) unfinished("name");
    if (sql[end + 1] !== "`") return end + 1;
    from = end + 2;
  }
}

function endOfString(sql: string, start: number, quote: string): number {
  for (let at = start + 1; at < sql.length; at++) {
    if (sql[at] === "\\") at++;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return unfinished("string");
}

/** Comments do not nest. Those that the server runs as code are refused, and so are hints that lift limits. */
function endOfComment(sql: string, start: number): number {
  const end = sql.indexOf("*/", start + 2);
  if (end < 0) unfinished("comment");
  const text = sql.slice(start + 2, end);
  if (/^M?!/.test(text)) throw refused("Comments that run as code (/*! … */) are not allowed");
  if (/^\+/.test(text) && /set_var|max_execution_time/i.test(text))
    throw refused("Hints that change settings are not allowed");
  return end + 2;
}

function unfinished(what: "string" | "name" | "comment"): never {
  throw refused(`A ${what} is not finished`);
}

const refused = (message: string) => new SourceError("refused", message);
