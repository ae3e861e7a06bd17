import type { Dialect } from "../data-sources/dialects/dialect.ts";
import { partsOf } from "../data-sources/dialects/scan.ts";
import type { Statement } from "../data-sources/engines/engine.ts";
import { type FieldError, Problem } from "../errors.ts";
import type { ParameterValue } from "./schema.ts";

const written = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,99})\s*\}\}/y;
const anywhere = /\{\{\s*[A-Za-z_][A-Za-z0-9_]{0,99}\s*\}\}/;

/**
 * Replaces each `{{name}}` with the engine's own placeholder and lists the values to bind in that order; a repeated
 * name is bound again. Values never become part of the text, so if the server tokenizes the text differently, the worst
 * outcome is that it rejects the statement. Throws invalid for a placeholder in a string, a quoted name, or a comment,
 * for a missing value, and for an unknown one.
 */
export function bindParameters(
  sql: string,
  given: Readonly<Record<string, ParameterValue>>,
  dialect: Dialect,
): Statement {
  const parameters: ParameterValue[] = [];
  const used = new Set<string>();
  const errors: FieldError[] = [];
  const bound = (code: string): string => {
    let text = "";
    for (let at = 0; ; ) {
      const next = code.indexOf("{{", at);
      if (next < 0) return text + code.slice(at);
      text += code.slice(at, next);
      written.lastIndex = next;
      const [whole, name] = written.exec(code) ?? [];
      if (whole === undefined || name === undefined)
        throw invalid([
          { path: "sql", message: "contains {{ without a name and }}: write parameters as {{name}}" },
        ]);
      if (Object.hasOwn(given, name)) {
        parameters.push(given[name] ?? null);
        text += dialect.placeholder(parameters.length);
      } else if (!used.has(name))
        errors.push({ path: `parameters.${name}`, message: "is required by the SQL" });
      used.add(name);
      at = next + whole.length;
    }
  };
  const parts = partsOf(sql, dialect).map(({ text, isOpaque }) => {
    if (!isOpaque) return bound(text);
    const found = anywhere.exec(text)?.[0];
    if (found)
      throw invalid([
        {
          path: "sql",
          message: `has ${found} in a string, a quoted name, or a comment: it cannot be bound`,
        },
      ]);
    return text;
  });
  for (const name of Object.keys(given))
    if (!used.has(name)) errors.push({ path: `parameters.${name}`, message: "is not in the SQL" });
  if (errors.length > 0) throw invalid(errors);
  return { sql: parts.join(""), parameters };
}

/** Where an offset of the bound text is in the written one: placeholders have other lengths there. */
export function writtenOffset(sql: string, dialect: Dialect, sentOffset: number): number {
  let sent = 0;
  let at = 0;
  let count = 0;
  for (const { text, isOpaque } of partsOf(sql, dialect)) {
    const pieces = isOpaque ? [text] : text.split(/(\{\{\s*[A-Za-z_][A-Za-z0-9_]{0,99}\s*\}\})/);
    for (const [index, piece] of pieces.entries()) {
      const isPlaceholder = !isOpaque && index % 2 === 1;
      const length = isPlaceholder ? dialect.placeholder(++count).length : piece.length;
      if (sentOffset < sent + length) return at + (isPlaceholder ? 0 : sentOffset - sent);
      sent += length;
      at += piece.length;
    }
  }
  return at;
}

const invalid = (errors: FieldError[]) => {
  const [{ path, message } = { path: "", message: "" }] = errors;
  return new Problem("invalid", `${path} ${message}`, { errors });
};
