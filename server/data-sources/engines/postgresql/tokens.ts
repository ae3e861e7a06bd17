import { SourceError } from "../engine.ts";

export type Token =
  /** A key word or a name, folded as PostgreSQL folds it. */
  | { kind: "word"; text: string }
  /** A name in quotation marks, without them. */
  | { kind: "quoted"; text: string }
  | { kind: "operator"; text: string }
  | { kind: "open" | "close" | "dot" | "end" | "other" };

const space = /[ \t\n\r\f\v]+/y;
const lineComment = /--[^\n\r]*/y;
const wordText = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;
const digits = /[0-9][0-9.]*|\$[0-9]+/y;
const operatorSign = /[-+*/<>=~!@#%^&|`?]/;
/** Signs without which an operator cannot end in + or -. */
const letsSignsEnd = /[~!@#%^&|`?]/;

const single: Record<string, "open" | "close" | "dot" | "end"> = {
  "(": "open",
  ")": "close",
  ".": "dot",
  ";": "end",
};

/**
 * The statement as PostgreSQL's own scanner cuts it, with standard_conforming_strings on. Comments are left out. It
 * takes time in proportion to the length, whatever the text. Throws SourceError "refused".
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
      const isPrefix = (letter: string) => word.toLowerCase() === letter;
      if (isPrefix("e") && sql[at] === "'") {
        at = endOfEscapeString(sql, at);
        // A string that goes on behind a line break keeps its escapes, which is more than is followed here.
        while (take(space) !== null || take(lineComment) !== null);
        if (sql[at] === "'") throw refused("A string with escapes must not go on after a line break");
        yield { kind: "other" };
      } else if (isPrefix("u") && sql.startsWith('&"', at)) {
        throw refused('Names with Unicode escapes (U&"…") are not allowed');
      } else yield { kind: "word", text: folded(word) };
      continue;
    }
    if (sql[at] === '"') {
      const end = endOfQuoted(sql, at, "name");
      yield { kind: "quoted", text: sql.slice(at + 1, end - 1).replaceAll('""', '"') };
      at = end;
      continue;
    }
    if (sql[at] === "'") {
      at = endOfQuoted(sql, at, "string");
      yield { kind: "other" };
      continue;
    }
    const tag = take(dollarTag);
    if (tag !== null) {
      const end = sql.indexOf(tag, at);
      if (end < 0) unfinished("string");
      at = end + tag.length;
      yield { kind: "other" };
      continue;
    }
    if (take(digits) !== null) {
      yield { kind: "other" };
      continue;
    }
    const signs = signsAt(sql, at);
    if (signs !== "") {
      at += signs.length;
      for (const text of operatorsIn(signs)) yield { kind: "operator", text };
      continue;
    }
    yield { kind: single[sql[at++] ?? ""] ?? "other" };
  }
}

/** Only A to Z: other letters are lowered by some servers and not by others, and `İ` or `K` would meet an i or a k. */
const folded = (word: string) => word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** All signs that follow each other, up to a comment. */
function signsAt(sql: string, start: number): string {
  let end = start;
  while (operatorSign.test(sql[end] ?? "") && !sql.startsWith("--", end) && !sql.startsWith("/*", end)) end++;
  return sql.slice(start, end);
}

/** `=-1` is `=` and a number, so that signs of numbers at the end are operators by themselves. */
function operatorsIn(signs: string): string[] {
  if (letsSignsEnd.test(signs)) return [signs];
  let length = signs.length;
  while (length > 1 && (signs[length - 1] === "+" || signs[length - 1] === "-")) length--;
  return [signs.slice(0, length), ...signs.slice(length)];
}

/** Behind the closing quote; a doubled one is part of the text. */
function endOfQuoted(sql: string, start: number, what: "string" | "name"): number {
  const quote = sql[start] ?? "";
  for (let from = start + 1; ; ) {
    const end = sql.indexOf(quote, from);
    if (end < 0) unfinished(what);
    if (sql[end + 1] !== quote) return end + 1;
    from = end + 2;
  }
}

function endOfEscapeString(sql: string, start: number): number {
  for (let at = start + 1; at < sql.length; at++) {
    if (sql[at] === "\\") at++;
    else if (sql[at] === "'") {
      if (sql[at + 1] !== "'") return at + 1;
      at++;
    }
  }
  return unfinished("string");
}

/** PostgreSQL's comments nest. */
function endOfComment(sql: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark; mark = marks.exec(sql)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return unfinished("comment");
}

function unfinished(what: "string" | "name" | "comment"): never {
  throw refused(`A ${what} is not finished`);
}

const refused = (message: string) => new SourceError("refused", message);
