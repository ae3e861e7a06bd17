import { relationIn } from "../data-sources/dialects/clauses.ts";
import type { Dialect } from "../data-sources/dialects/dialect.ts";
import type { ColumnFacts } from "./observed-column.ts";

/** Only the start of longer texts is read, with their length. */
export const longest = 200;

/** Bytes, shapes, and documents are only checked for NULL. */
const unreadable =
  /blob|binary|bytea|image|geometry|geomcollection|point|linestring|polygon|geography|hierarchyid|xml|json|vector|tsvector|sql_variant/i;

/** Whether rows from all over a table can be read, and not only those at its start. */
export const canSpread = (dialect: Dialect, { kind }: { kind: "Table" | "View" }): boolean =>
  dialect.canSpread && kind === "Table";

/**
 * A column's value as the text used for it throughout the service: exactly as stored, without the padding of
 * fixed-width types.
 */
export function textOf(dialect: Dialect, { kind, type }: ColumnFacts, value: string): string {
  if (unreadable.test(type)) return `case when ${value} is not null then '' end`;
  if (kind !== "text") return dialect.exactText(value, kind);
  const isPadded = /^n?char\b(?! varying)|^character\b(?! varying)/i.test(type);
  const text = dialect.asText(value);
  return isPadded ? `rtrim(${text})` : text;
}

/** Reads a limited number of a table's rows, each value as text. With `spreadOver` they come from all over it. */
export function readSql(
  dialect: Dialect,
  { schemaName, tableName }: { schemaName: string; tableName: string },
  columns: readonly ColumnFacts[],
  { maxRows, spreadOver }: { maxRows: number; spreadOver: number | null },
): string {
  const relation = relationIn(dialect, schemaName, tableName);
  return dialect.someRows(textsOf(dialect, columns), relation, { maxRows, spreadOver });
}

/** What is selected of a table to read its columns, each value as text. */
export const textsOf = (dialect: Dialect, columns: readonly ColumnFacts[]): string[] =>
  columns.map((column, index) => {
    const text = textOf(dialect, column, dialect.quote(column.name));
    return `${column.kind === "text" ? shortened(dialect, text) : text} as c${index}`;
  });

/** Texts with the same start are still distinguished by their length. */
function shortened(dialect: Dialect, text: string): string {
  const length = dialect.length(text);
  const size = dialect.exactText(length, "integer");
  return `case when ${length} > ${longest} then ${dialect.concat(dialect.start(text, longest), "'… '", size)} else ${text} end`;
}
