import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { TableColumn } from "../rules/table-columns.ts";

/** A table that a check looks at. */
export type CheckedTable = {
  schemaName: string;
  tableName: string;
  columns: readonly string[];
  /** The same as the engine's catalog has them, in order; none where only their names are known. */
  catalog?: readonly TableColumn[];
};

/** Where checks are run: what is known of the database. */
export type Destination = {
  dialect: Dialect;
  defaultSchema: string;
  /** A table as the database names it, whatever its case; null if it does not exist. */
  find(schemaName: string, tableName: string): CheckedTable | null;
};

const quotedName = /^(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\])$/;
export const plainName = /^[\p{L}_][\p{L}\p{N}_$]*$/u;

/** A column as the table writes it, whatever its case; null for an expression. */
export function columnIn({ columns }: Pick<CheckedTable, "columns">, text: string): string | null {
  const given = text.trim();
  const [, a, b, c] = quotedName.exec(given) ?? [];
  const name = a ?? b ?? c ?? given;
  if (columns.includes(name)) return name;
  const similar = columns.filter((each) => each.toLowerCase() === name.toLowerCase());
  if (similar.length === 1) return similar[0] ?? null;
  return name === given && !plainName.test(name) ? null : name;
}

/** A name without the quotes around it. */
export function unquoted(text: string): string {
  const [, a, b, c] = quotedName.exec(text.trim()) ?? [];
  return a ?? b ?? c ?? text.trim();
}
