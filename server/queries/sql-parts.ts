import type { Dialect } from "../data-sources/engines/engine.ts";

/**
 * What is stepped over as a whole, so that what looks like a placeholder in there is found to be none: from where it
 * begins to behind its end. What is not finished goes on to the end of the text; the gate will say so. Each looks at
 * the text once, whatever it holds.
 */
type Opaque = { begins: RegExp; end(sql: string, start: number, opening: string): number };

const lineComment = (begins: RegExp, ends: RegExp): Opaque => ({
  begins,
  end(sql, start) {
    ends.lastIndex = start;
    return ends.exec(sql)?.index ?? sql.length;
  },
});
/** What ends with its own sign; doubled it is part of the text, and so it is behind a backslash, where that escapes. */
const quoted = (begins: RegExp, closing: string, escapes = false): Opaque => ({
  begins,
  end(sql, start, opening) {
    for (let at = start + opening.length; at < sql.length; at++) {
      if (escapes && sql[at] === "\\") at++;
      else if (sql[at] === closing) {
        if (sql[at + 1] !== closing) return at + 1;
        at++;
      }
    }
    return sql.length;
  },
});
const upTo = (begins: RegExp, closing: (opening: string) => string): Opaque => ({
  begins,
  end(sql, start, opening) {
    const end = sql.indexOf(closing(opening), start + opening.length);
    return end < 0 ? sql.length : end + closing(opening).length;
  },
});

const opaque: Record<Dialect, Opaque[]> = {
  postgresql: [
    lineComment(/--/y, /[\n\r]/g),
    quoted(/(?<![\w$\u0080-\uffff])[eE]'/y, "'", true),
    quoted(/'/y, "'"),
    quoted(/"/y, '"'),
    upTo(/(?<![\w$\u0080-\uffff])\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y, (tag) => tag),
  ],
  mysql: [
    lineComment(/#|--(?=[^!-~\u0080-\uffff]|$)/y, /\n/g),
    upTo(/\/\*/y, () => "*/"),
    quoted(/'/y, "'", true),
    quoted(/"/y, '"', true),
    quoted(/`/y, "`"),
  ],
  sqlserver: [lineComment(/--/y, /[\n\r]/g), quoted(/'/y, "'"), quoted(/"/y, '"'), quoted(/\[/y, "]")],
};

/** What any of them can begin with, so that all other text is passed over at once. */
const mayBegin: Record<Dialect, RegExp> = {
  postgresql: /[-/eE'"$]/g,
  mysql: /[-/#'"`]/g,
  sqlserver: /[-/'"[]/g,
};

const nestsComments: Record<Dialect, boolean> = { postgresql: true, mysql: false, sqlserver: true };

/** A stretch of a text: a string, a quoted name or a comment as a whole, or all that is between two of those. */
export type SqlPart = { text: string; isOpaque: boolean };

/** The whole text in its parts. It is scanned, not parsed: the server may see it differently, and then refuses it. */
export function partsOf(sql: string, dialect: Dialect): SqlPart[] {
  const parts: SqlPart[] = [];
  let begin = 0;
  const endCode = (at: number) => {
    if (at > begin) parts.push({ text: sql.slice(begin, at), isOpaque: false });
  };
  const next = mayBegin[dialect];
  for (let at = 0; at < sql.length; ) {
    next.lastIndex = at;
    at = next.exec(sql)?.index ?? sql.length;
    const text = opaqueAt(sql, at, dialect);
    if (text === null) {
      at++;
      continue;
    }
    endCode(at);
    parts.push({ text, isOpaque: true });
    at += text.length;
    begin = at;
  }
  endCode(sql.length);
  return parts;
}

function opaqueAt(sql: string, at: number, dialect: Dialect): string | null {
  if (nestsComments[dialect] && sql.startsWith("/*", at)) return nestedComment(sql, at);
  for (const { begins, end } of opaque[dialect]) {
    begins.lastIndex = at;
    const opening = begins.exec(sql)?.[0];
    if (opening) return sql.slice(at, end(sql, at, opening));
  }
  return null;
}

function nestedComment(sql: string, start: number): string {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark; mark = marks.exec(sql)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return sql.slice(start, marks.lastIndex);
  }
  return sql.slice(start);
}
