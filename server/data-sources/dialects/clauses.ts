import type { Dialect } from "./dialect.ts";

/** Conditions shared by several SQL generators: rules, the planner's checks, and contracts as code. */

export const relationIn = ({ quote }: Pick<Dialect, "quote">, schemaName: string, tableName: string) =>
  `${quote(schemaName)}.${quote(tableName)}`;

/** Names that are valid unquoted on every engine are easier to read without quotes. */
export const quotedIfNeeded = ({ quote }: Pick<Dialect, "quote">, name: string) =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : quote(name);

/**
 * Finds values, or combinations of values, that occur more than once; `columns` are SQL already. A missing value
 * equals no other, except when whole rows are compared.
 */
export function repeated({ count }: Dialect, columns: readonly string[], isWholeRow = false) {
  return {
    where: isWholeRow ? null : columns.map((column) => `${column} is not null`).join(" and "),
    groupBy: columns.join(", "),
    having: `${count()} > 1`,
  };
}

/**
 * The condition that a value exists and is not found elsewhere. Both columns must be qualified, the other one by
 * `reference`: a column missing from its table would be resolved in the outer query, and no row would be an orphan.
 */
export function isOrphan(
  { quote }: Dialect,
  value: string,
  reference: { table: string; column: string },
  collation = "",
): string {
  return `${value} is not null
  and not exists (
    select 1 from ${reference.table} as reference
    where reference.${quote(reference.column)}${collation} = ${value}${collation})`;
}

export const isBeyondAge = ({ ago }: Dialect, newest: string, minutes: number) =>
  `${newest} is null or ${newest} < ${ago(minutes, "minutes")}`;
