import { SourceError } from "../engine.ts";

export type Token =
  /** A key word or a bare name, in lower case. */
  | { kind: "word"; text: string }
  /** A name in brackets or double quotes, without them, in lower case. */
  | { kind: "quoted"; text: string }
  | { kind: "open" | "close" | "end" | "dot" | "other" };

const signs: Readonly<Record<string, "open" | "close" | "end" | "dot">> = {
  "(": "open",
  ")": "close",
  ";": "end",
  ".": "dot",
};

const space = /[\s\p{Cc}\u180e\u200b]+/uy;
const lineComment = /--[^\n]*/y;
/** Where a comment ends by one reading and not by another, it is refused. */
const doubtfulLineEnd = /[\u0085\u2028\u2029]|\r(?!$)/;
const wordText = /[\p{L}\p{M}\p{Nl}\p{Pc}@#][\p{L}\p{M}\p{N}\p{Pc}\p{Cf}@#$]*/uy;
const number = /0x[0-9a-f]*|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d*)?/iy;
const bracketed = /\[(?:[^\]]|\]\])*\](?!\])/y;
const doubleQuoted = /"(?:[^"]|"")*"(?!")/y;
const string = /'(?:[^']|'')*'(?!')/y;

/**
 * The statement as the server's own scanner cuts it, as far as has to be known, with QUOTED_IDENTIFIER on: double
 * quotes hold names, and nothing escapes but a doubled quote. Comments are left out. Where the server might cut
 * differently the statement is refused. Throws SourceError "refused".
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
    if (take(space) !== null) continue;
    const comment = take(lineComment);
    if (comment !== null) {
      if (doubtfulLineEnd.test(comment)) throw refused("A comment must end with an ordinary line break");
      continue;
    }
    if (sql.startsWith("/*", at)) {
      at = endOfComment(sql, at);
      continue;
    }
    const word = take(wordText);
    if (word !== null) {
      // Wide letters may count as plain ones.
      yield { kind: "word", text: word.normalize("NFKC").toLowerCase() };
      continue;
    }
    if (take(number) !== null) {
      // "1into t" is a number and INTO.
      if (take(wordText) !== null) throw refused("A number must not run into a word");
      yield { kind: "other" };
      continue;
    }
    const character = sql[at];
    if (character === "[" || character === '"') {
      const quoted = take(character === "[" ? bracketed : doubleQuoted) ?? unfinished("name");
      yield { kind: "quoted", text: quoted.slice(1, -1).toLowerCase() };
      continue;
    }
    if (character === "'") {
      take(string) ?? unfinished("string");
      yield { kind: "other" };
      continue;
    }
    at++;
    yield { kind: signs[character ?? ""] ?? "other" };
  }
}

/** Comments nest. */
function endOfComment(sql: string, start: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  let depth = 0;
  for (let found = edge.exec(sql); found; found = edge.exec(sql)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return unfinished("comment");
}

function unfinished(what: "string" | "name" | "comment"): never {
  throw refused(`A ${what} is not finished`);
}

const refused = (message: string) => new SourceError("refused", message);
