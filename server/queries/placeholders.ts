import type { Dialect, Statement } from "../data-sources/engines/engine.ts";
import { type FieldError, Problem } from "../errors.ts";
import type { ParameterValue } from "./schema.ts";

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

const written = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,99})\s*\}\}/y;
const anywhere = /\{\{\s*[A-Za-z_][A-Za-z0-9_]{0,99}\s*\}\}/;

/**
 * The statement with each `{{name}}` replaced by the engine's own placeholder, and the values to bind in that
 * order; a name that is used twice is bound twice. No value becomes part of the text, so a text that is scanned
 * differently here than by the server is at worst refused by it. Throws invalid for a placeholder in a string,
 * a quoted name or a comment, for a name without a value, and for a value without a name.
 */
export function bindParameters(
  sql: string,
  given: Readonly<Record<string, ParameterValue>>,
  { dialect, placeholder }: { dialect: Dialect; placeholder(position: number): string },
): Statement {
  const parameters: ParameterValue[] = [];
  const used = new Set<string>();
  const errors: FieldError[] = [];
  let text = "";
  for (let at = 0; at < sql.length; ) {
    const skipped = opaqueAt(sql, at, dialect);
    if (skipped !== null) {
      const found = anywhere.exec(skipped)?.[0];
      if (found)
        throw invalid([
          {
            path: "sql",
            message: `has ${found} in a string, a quoted name or a comment: it cannot be bound`,
          },
        ]);
      text += skipped;
      at += skipped.length;
      continue;
    }
    if (!sql.startsWith("{{", at)) {
      text += sql[at++];
      continue;
    }
    written.lastIndex = at;
    const [whole, name] = written.exec(sql) ?? [];
    if (whole === undefined || name === undefined)
      throw invalid([{ path: "sql", message: "has {{ without a name and }}: a parameter is {{name}}" }]);
    if (Object.hasOwn(given, name)) {
      parameters.push(given[name] ?? null);
      text += placeholder(parameters.length);
    } else if (!used.has(name))
      errors.push({ path: `parameters.${name}`, message: "is required by the SQL" });
    used.add(name);
    at += whole.length;
  }
  for (const name of Object.keys(given))
    if (!used.has(name)) errors.push({ path: `parameters.${name}`, message: "is not in the SQL" });
  if (errors.length > 0) throw invalid(errors);
  return { sql: text, parameters };
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

const invalid = (errors: FieldError[]) => {
  const [{ path, message } = { path: "", message: "" }] = errors;
  return new Problem("invalid", `${path} ${message}`, { errors });
};
