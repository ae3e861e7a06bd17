import type { Dialect } from "./dialect.ts";

/** Conditions shared by several SQL generators: rules, the planner's checks, and contracts as code. */

export const relationIn = ({ quote }: Pick<Dialect, "quote">, schemaName: string, tableName: string) =>
  `${quote(schemaName)}.${quote(tableName)}`;

/** Words that cannot name a table or column without quotes on at least one of the engines. */
export const reservedWords: ReadonlySet<string> = new Set(
  `all alter analyse analyze and any array as asc asymmetric authorization backup begin between binary both break
  browse bulk by call cascade case cast change check checkpoint close clustered coalesce collate column commit compute
  concurrently condition constraint contains containstable continue convert create cross cube current current_catalog
  current_date current_role current_schema current_time current_timestamp current_user cursor database databases dbcc
  deallocate declare default deferrable delayed delete deny desc describe deterministic disk distinct distinctrow
  distributed div do double drop dual dump each else elseif empty enclosed end errlvl escape escaped except exec
  execute exists exit explain external false fetch file fillfactor first_value float for force foreign freetext
  freetexttable freeze from full fulltext function generated get goto grant group grouping groups having high_priority
  holdlock identity if ignore ilike in index infile initially inner inout insensitive insert int integer intersect
  interval into is isnull iterate join key keys kill lag lateral leading leave left like limit linear lines lineno load
  localtime localtimestamp lock loop low_priority match maxvalue merge mod natural nocheck nonclustered not notnull
  null nullif numeric of off offset offsets on only open openquery openrowset openxml optimize option optionally or
  order out outer outfile over overlaps partition percent percent_rank pivot placing plan primary print proc procedure
  purge raiserror range rank read readtext real reconfigure recursive references regexp release rename repeat
  replace replication require resignal restore restrict return returning revert revoke right rlike rollback row
  row_number rowcount rowguidcol rows rule save schema schemas securityaudit select separator session_user set
  setuser show shutdown signal similar some spatial sql starting statistics straight_join symmetric system_user table
  tables tablesample terminated textsize then to top trailing tran transaction trigger true truncate try_convert tsequal
  undo union unique unlock unpivot unsigned update updatetext usage use user using values varchar variadic varying
  verbose view waitfor when where while window with within writetext xor zerofill`.split(/\s+/),
);

/** Names that are valid unquoted, and mean the same there, are easier to read without quotes. */
export const quotedIfNeeded = ({ quote, lexis }: Pick<Dialect, "quote" | "lexis">, name: string) =>
  /^[a-z_][a-z0-9_]*$/i.test(name) && lexis.foldWord(name) === name && !reservedWords.has(name.toLowerCase())
    ? name
    : quote(name);

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

export const isBeyondAge = ({ ago, moment }: Dialect, newest: string, minutes: number) =>
  `${newest} is null or ${moment(newest)} < ${ago(minutes, "minutes")}`;
