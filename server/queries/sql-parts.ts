import type { Dialect } from "../data-sources/engines/engine.ts";

/**
 * What is stepped over as a whole, so that what looks like a placeholder in there is found to be none. What is not
 * finished goes on to the end: the gate will say so.
 */
const opaque: Record<Dialect, RegExp[]> = {
  postgresql: [
    /--[^\n\r]*/y,
    /(?<![\w$\u0080-\uffff])[eE]'(?:[^'\\]|''|\\[\s\S])*(?:'|$)/y,
    /'(?:[^']|'')*(?:'|$)/y,
    /"(?:[^"]|"")*(?:"|$)/y,
    /(?<![\w$\u0080-\uffff])(\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[\s\S]*?(?:\1|$)/y,
  ],
  mysql: [
    /(?:#|--(?=[^!-~\u0080-\uffff]|$))[^\n]*/y,
    /\/\*[\s\S]*?(?:\*\/|$)/y,
    /'(?:[^'\\]|''|\\[\s\S])*(?:'|$)/y,
    /"(?:[^"\\]|""|\\[\s\S])*(?:"|$)/y,
    /`(?:[^`]|``)*(?:`|$)/y,
  ],
  sqlserver: [/--[^\n\r]*/y, /'(?:[^']|'')*(?:'|$)/y, /"(?:[^"]|"")*(?:"|$)/y, /\[(?:[^\]]|\]\])*(?:\]|$)/y],
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
  for (let at = 0; at < sql.length; ) {
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
  for (const pattern of opaque[dialect]) {
    pattern.lastIndex = at;
    const found = pattern.exec(sql)?.[0];
    if (found) return found;
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
