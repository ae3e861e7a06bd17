import type { Dialect, Lexis, Quotation } from "./dialect.ts";

/** A token of SQL text, from `start` to before `end`, as the server's own scanner splits it. */
export type Lexeme = {
  kind: "space" | "comment" | "word" | "number" | "string" | "name" | "operators" | "sign";
  start: number;
  end: number;
  /** Whether the string, name, or comment is terminated; otherwise it extends to the end of the text. */
  isFinished: boolean;
  /** The quoting of a string or name, except for `$tag$ … $tag$`. */
  quotation: Quotation | null;
};

/** The whole text, without gaps. Takes linear time for any input. */
export function* lexemesOf(sql: string, lexis: Lexis): Generator<Lexeme> {
  for (let start = 0; start < sql.length; ) {
    const lexeme = lexemeAt(sql, start, lexis);
    yield lexeme;
    start = lexeme.end;
  }
}

function lexemeAt(sql: string, start: number, lexis: Lexis): Lexeme {
  const space = endAt(lexis.space, sql, start);
  if (space !== null) return whole("space", start, space);
  const word = endAt(lexis.word, sql, start);
  const prefix = word !== null && word <= start + 2 ? sql.slice(start, word).toLowerCase() : undefined;
  const at = prefix === undefined ? start : start + prefix.length;
  const quotation = word === null || prefix !== undefined ? quotationAt(sql, at, prefix, lexis) : null;
  if (quotation !== null) {
    const end = endOfQuoted(sql, at + quotation.opening.length, quotation);
    return upTo(sql, quotation.holds, start, end, quotation);
  }
  if (word !== null) return whole("word", start, word);

  const lineComment = endAt(lexis.lineComment, sql, start);
  if (lineComment !== null) return whole("comment", start, lineComment);
  if (sql.startsWith("/*", start))
    return upTo(sql, "comment", start, endOfComment(sql, start, lexis.commentsNest));
  const tag = lexis.dollarQuote ? endAt(lexis.dollarQuote, sql, start) : null;
  if (tag !== null) {
    const closing = sql.slice(start, tag);
    const closed = sql.indexOf(closing, tag);
    return upTo(sql, "string", start, closed < 0 ? null : closed + closing.length);
  }
  const number = lexis.number ? endAt(lexis.number, sql, start) : null;
  if (number !== null) return whole("number", start, number);
  const operators = lexis.operators ? endOfOperators(sql, start) : start;
  if (operators > start) return whole("operators", start, operators);
  return whole("sign", start, start + 1);
}

/** The end of the match that begins there, or null. The pattern is sticky. */
export function endAt(pattern: RegExp, sql: string, start: number): number | null {
  pattern.lastIndex = start;
  return pattern.test(sql) ? pattern.lastIndex : null;
}

const whole = (kind: Lexeme["kind"], start: number, end: number): Lexeme => ({
  kind,
  start,
  end,
  isFinished: true,
  quotation: null,
});

/** If `end` is null, the token is unterminated. */
const upTo = (
  sql: string,
  kind: Lexeme["kind"],
  start: number,
  end: number | null,
  quotation: Quotation | null = null,
): Lexeme => ({ kind, start, end: end ?? sql.length, isFinished: end !== null, quotation });

function quotationAt(sql: string, at: number, prefix: string | undefined, lexis: Lexis): Quotation | null {
  for (const each of lexis.quotations)
    if (each.prefix === prefix && sql.startsWith(each.opening, at)) return each;
  return null;
}

/** The position after the closing quote, or null if it is missing. */
function endOfQuoted(
  sql: string,
  from: number,
  { closing, backslashEscapes, doubles }: Quotation,
): number | null {
  for (let at = from; at < sql.length; at++) {
    if (backslashEscapes && sql[at] === "\\") at++;
    else if (sql.startsWith(closing, at)) {
      if (doubles === false || sql[at + 1] !== closing) return at + closing.length;
      at++;
    }
  }
  return null;
}

/** The position after the end of a block comment, or null if it is missing. */
function endOfComment(sql: string, start: number, nests: boolean): number | null {
  if (!nests) {
    const end = sql.indexOf("*/", start + 2);
    return end < 0 ? null : end + 2;
  }
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark; mark = marks.exec(sql)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return null;
}

const operatorSign = /[-+*/<>=~!@#%^&|`?]/;

/** The position after a run of operator characters, up to a comment. */
function endOfOperators(sql: string, start: number): number {
  let end = start;
  while (operatorSign.test(sql[end] ?? "") && !sql.startsWith("--", end) && !sql.startsWith("/*", end)) end++;
  return end;
}

/** A part of a text: a whole string, quoted name, or comment, or everything between two of those. */
export type SqlPart = { text: string; isOpaque: boolean };

/**
 * Splits a text into parts, to search a statement's code. Unterminated parts extend to the end of the text; the gate
 * reports them.
 */
export function partsOf(sql: string, { lexis }: Pick<Dialect, "lexis">): SqlPart[] {
  const parts: SqlPart[] = [];
  let begin = 0;
  const endCode = (at: number) => {
    if (at > begin) parts.push({ text: sql.slice(begin, at), isOpaque: false });
  };
  for (const { kind, start, end } of lexemesOf(sql, lexis)) {
    if (kind !== "string" && kind !== "name" && kind !== "comment") continue;
    endCode(start);
    parts.push({ text: sql.slice(start, end), isOpaque: true });
    begin = end;
  }
  endCode(sql.length);
  return parts;
}

/** The name in a token of that kind, without its quotes. */
export function nameIn(sql: string, { start, end, isFinished, quotation }: Lexeme): string {
  if (quotation === null) return sql.slice(start, end);
  const { opening, closing } = quotation;
  const text = sql.slice(start + opening.length, isFinished ? end - closing.length : end);
  return text.replaceAll(closing + closing, closing);
}
