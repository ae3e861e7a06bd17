import { lexemesOf } from "../../dialects/scan.ts";
import { trino } from "../../dialects/trino.ts";
import type { Parameter, SqlPlace, Statement } from "../engine.ts";

/** A statement as it is sent, and where a place of the text that was sent is in the statement. */
export type Sent = { text: string; placeOf(sent: SqlPlace): SqlPlace | null };

const opening = "execute immediate '";

/**
 * Values are bound by EXECUTE IMMEDIATE, which takes the statement as a text and a value for each of its question marks,
 * so that no value is ever part of the SQL.
 */
export function sentAs({ sql, parameters }: Statement, prefix = ""): Sent {
  const whole = withoutEnd(sql);
  if (parameters.length === 0)
    return { text: `${prefix}${whole}`, placeOf: (place) => shifted(place, prefix.length) };
  return {
    text: `${prefix}${opening}${whole.replaceAll("'", "''")}' using ${parameters.map(literalOf).join(", ")}`,
    placeOf: (place) => shifted(place, prefix.length + opening.length),
  };
}

/** The server counts from the start of all of it, but a quote in the statement once. */
function shifted({ line, column }: SqlPlace, by: number): SqlPlace | null {
  if (line > 1 || column === null) return { line, column };
  return column > by ? { line, column: column - by } : null;
}

/** Without a semicolon at its end, which the server does not take. Nothing else moves. */
function withoutEnd(sql: string): string {
  const ends: number[] = [];
  for (const { kind, start } of lexemesOf(sql, trino.lexis)) {
    if (kind === "space" || kind === "comment") continue;
    if (kind === "sign" && sql[start] === ";") ends.push(start);
    else ends.length = 0;
  }
  return ends.reduce((text, at) => `${text.slice(0, at)} ${text.slice(at + 1)}`, sql);
}

function literalOf(value: Parameter): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return Number.isSafeInteger(value) ? `bigint '${value}'` : `double '${value}'`;
}
