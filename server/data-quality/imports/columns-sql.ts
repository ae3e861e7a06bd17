import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { CheckedTable } from "./destination.ts";

/** Queries about which columns a table has, in words that every engine's catalog knows. */

type Catalog = { dialect: Dialect; table: CheckedTable };

/** The number of columns, or of those for which a condition holds. */
export function columnCountSql({ dialect, table }: Catalog, condition?: string): string {
  const place = [
    `TABLE_SCHEMA = ${textIn(dialect, table.schemaName)}`,
    `TABLE_NAME = ${textIn(dialect, table.tableName)}`,
    ...(condition === undefined ? [] : [condition]),
  ];
  return `select ${dialect.count()} from INFORMATION_SCHEMA.COLUMNS where ${place.join(" and ")}`;
}

/** The condition that a column is one of these; names compare as a person reads them, whatever their case. */
export function isNamed(dialect: Dialect, names: readonly string[]): string {
  const listed = [...new Set(names.map((each) => each.toLowerCase()))].map((each) => textIn(dialect, each));
  return `lower(COLUMN_NAME) in (${listed.join(", ")})`;
}

/** The condition that a column's name is like a pattern in which % stands for anything. */
export const isNamedLike = (dialect: Dialect, pattern: string) =>
  `lower(COLUMN_NAME) like ${textIn(dialect, pattern.toLowerCase())}`;

/** The condition that a column has one of these types, as the database's catalog names them. */
export function isOfType(dialect: Dialect, name: string, types: readonly string[]): string {
  const listed = types.map((each) => textIn(dialect, each.trim().toLowerCase())).join(", ");
  return `${isNamed(dialect, [name])} and lower(DATA_TYPE) in (${listed})`;
}

/** How many of these columns the table has not. */
export function missingColumnsSql(catalog: Catalog, names: readonly string[]): string {
  const wanted = new Set(names.map((each) => each.toLowerCase())).size;
  return `select ${wanted} - (${columnCountSql(catalog, isNamed(catalog.dialect, names))})`;
}

/** How many columns the table has besides these. */
export const otherColumnsSql = (catalog: Catalog, names: readonly string[]) =>
  columnCountSql(catalog, `not (${isNamed(catalog.dialect, names)})`);

/** A text that has no literal in this engine is in no name either. */
const textIn = (dialect: Dialect, text: string) => dialect.literal(text) ?? "''";

/** How many of these columns are at their place in the list. */
export const inOrderSql = (catalog: Catalog, names: readonly string[]) =>
  atPlacesSql(
    catalog,
    names.map((name, index) => [name, index + 1]),
  );

/** How many of these columns are at their place, counted from 1. */
export function atPlacesSql(
  { dialect, table }: Catalog,
  wanted: readonly (readonly [string, number])[],
): string {
  const places = wanted.map(([name, place]) => `(${isNamed(dialect, [name])} and place = ${place})`);
  return `select ${dialect.count()} from (
${columnCountSql({ dialect, table }).replace(dialect.count(), "COLUMN_NAME, row_number() over (order by ORDINAL_POSITION) as place")}
) placed where ${places.join(" or ")}`;
}
