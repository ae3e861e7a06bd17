import type { Lexis } from "../dialects/dialect.ts";
import { endAt, type Lexeme, lexemesOf, nameIn } from "../dialects/scan.ts";
import { SourceError } from "./engine.ts";

export type Token =
  /** A keyword or unquoted name, in the form that the server compares. */
  | { kind: "word"; text: string }
  /** A quoted name without its quotes, in the same form. */
  | { kind: "quoted"; text: string }
  /** Only in dialects with multi-character operators. */
  | { kind: "operator"; text: string }
  | { kind: "open" | "close" | "dot" | "end" | "other" };

const single: Record<string, "open" | "close" | "dot" | "end"> = {
  "(": "open",
  ")": "close",
  ".": "dot",
  ";": "end",
};

/**
 * The tokens that a gate checks: the statement as the server splits it, without comments. Refused if the server might
 * split it differently. Throws SourceError "refused".
 */
export function* tokensOf(sql: string, lexis: Lexis): Generator<Token> {
  for (const lexeme of lexemesOf(sql, lexis)) {
    const { kind, start, end } = lexeme;
    if (kind === "space") continue;
    rejectAmbiguous(sql, lexeme, lexis);
    if (kind === "comment") continue;
    if (kind === "word") yield { kind, text: lexis.foldWord(sql.slice(start, end)) };
    else if (kind === "name") yield { kind: "quoted", text: lexis.foldQuoted(nameIn(sql, lexeme)) };
    else if (kind === "operators")
      for (const text of operatorsIn(sql.slice(start, end))) yield { kind: "operator", text };
    else if (kind === "sign") yield { kind: single[sql[start] ?? ""] ?? "other" };
    else yield { kind: "other" };
  }
}

function rejectAmbiguous(sql: string, lexeme: Lexeme, lexis: Lexis): void {
  const { kind, start, end, isFinished, quotation } = lexeme;
  if (!isFinished) throw refused(`A ${kind} is not finished`);
  if (kind === "comment") rejectComment(sql.slice(start, end), lexis);
  if (kind === "string" && quotation?.prefix !== undefined && goesOn(sql, end, quotation.opening, lexis))
    throw refused("A string with escapes must not continue after a line break");
  const isU = kind === "word" && end === start + 1 && sql[start]?.toLowerCase() === "u";
  if (isU && lexis.unicodeNames && sql.startsWith('&"', end))
    throw refused('Names with Unicode escapes (U&"…") are not allowed');
  if (kind === "number" && lexis.wordsMayFollowNumbers && endAt(lexis.word, sql, end) !== null)
    throw refused("A number must not run into a word");
}

/** Executable comments, hints that lift limits, and comments with an ambiguous end. */
function rejectComment(text: string, { doubtfulLineEnd, executableComment, liftingHint }: Lexis): void {
  if (!text.startsWith("/*")) {
    if (doubtfulLineEnd?.test(text)) throw refused("A comment must end with an ordinary line break");
    return;
  }
  if (executableComment && endAt(executableComment, text, 2) !== null)
    throw refused("Comments that run as code (/*! … */) are not allowed");
  if (liftingHint && text[2] === "+" && liftingHint.test(text))
    throw refused("Hints that change settings are not allowed");
}

/** A string continued after a line break keeps its escapes, which is not supported here. */
function goesOn(sql: string, end: number, opening: string, { space, lineComment }: Lexis): boolean {
  let at: number = end;
  for (let next: number | null = at; next !== null; ) {
    at = next;
    next = endAt(space, sql, at) ?? endAt(lineComment, sql, at);
  }
  return sql.startsWith(opening, at);
}

/** Characters that an operator must contain to end in + or -. */
const letsSignsEnd = /[~!@#%^&|`?]/;

/**
 * `=-1` is `=` and a number, so trailing signs are separate operators.
 */
function operatorsIn(signs: string): string[] {
  if (letsSignsEnd.test(signs)) return [signs];
  let length = signs.length;
  while (length > 1 && (signs[length - 1] === "+" || signs[length - 1] === "-")) length--;
  return [signs.slice(0, length), ...signs.slice(length)];
}

const refused = (message: string) => new SourceError("refused", message);
