import { dialects } from "../../data-sources/dialects/dialects.ts";
import type { ColumnProfile } from "../../profile/table-profile.ts";
import type { BriefedTable, Briefing } from "../briefing.ts";
import { keyOf, type Table, type TableName } from "./check.ts";
import { wordsOf } from "./name-words.ts";

/** Facts about a table that need no query. */

type DialectName = Briefing["dataSource"]["dialect"];

/** A query cannot contain a placeholder's braces, not even in a quoted name. */
export const canBeWritten = (name: string) => !/\{\{\s*[A-Za-z_]\w*\s*\}\}/.test(name);

export type RowCount = { rows: number; isExact: boolean };

/** null if unknown. If the server's estimate may be far off, only a count is used. */
export function rowsOf({ profile, rowEstimate }: BriefedTable, dialect: DialectName): RowCount | null {
  if (profile?.isWhole) return { rows: profile.rows, isExact: true };
  if (profile?.totalRows != null) return { rows: profile.totalRows, isExact: true };
  return rowEstimate === null || !dialects[dialect].hasCloseEstimates
    ? null
    : { rows: rowEstimate, isExact: false };
}

export function profiledColumns({ profile }: BriefedTable): ColumnProfile[] {
  return profile?.columns.filter(({ name }) => canBeWritten(name)) ?? [];
}

/** Whether the name suggests an identifier: a counter, a code, or the like. */
export const isNamedLikeKey = (name: string) =>
  /^(id|key|code|number|no|nr|uuid|guid|sku|ean|isbn|iban|iata|icao|slug|email|username|login|reference|ref|token|serial)$/.test(
    wordsOf(name).at(-1) ?? "",
  );

/** The columns by which a person finds a row: its primary key, otherwise the most descriptive columns, or the first. */
export function keyColumns(table: BriefedTable, dialect: DialectName): string[] {
  const canBeSorted = table.columns.filter(
    ({ name, type }) => canBeWritten(name) && dialects[dialect].kindOf(type) !== "other",
  );
  const primary = canBeSorted.filter(({ isPrimaryKey }) => isPrimaryKey);
  if (primary.length > 0) return primary.slice(0, 4).map(({ name }) => name);
  const unique = canBeSorted.find(({ name }) =>
    profiledColumns(table).some((column) => column.name === name && isUniqueToday(column)),
  );
  const keys = canBeSorted.filter(({ name }) => isNamedLikeKey(name));
  const chosen = unique ? [unique] : keys.length > 0 ? keys : canBeSorted;
  return chosen.slice(0, 3).map(({ name }) => name);
}

export const hasPrimaryKey = ({ columns }: BriefedTable) => columns.some(({ isPrimaryKey }) => isPrimaryKey);

/** The only column of its primary key; null if there are several or none. */
export function solePrimaryKey({ columns }: BriefedTable): string | null {
  const [only, ...more] = columns.filter(({ isPrimaryKey }) => isPrimaryKey);
  return more.length === 0 ? (only?.name ?? null) : null;
}

/** In at least `min` rows; fewer may be distinct by chance. */
export const isUniqueToday = ({ values, different }: ColumnProfile, min = 20) =>
  different !== null && values >= min && different === values;

/** Created by tools for themselves, or set aside: only of interest if chosen. */
export function isSetAside({ tableName }: TableName): boolean {
  const words = wordsOf(tableName);
  const last = words.at(-1) ?? "";
  return (
    /(migrations?|schema_?version|schema_?history|flyway|alembic_version|databasechangelog(lock)?|ar_internal_metadata|spatial_ref_sys|sysdiagrams)/i.test(
      tableName,
    ) ||
    /^(bak|backup|bkp|old|tmp|temp|copy|deleted|archive|archived)$/.test(last) ||
    /^(tmp|temp|bak|backup|old)$/.test(words[0] ?? "")
  );
}

/** A table's display name: with its schema if that is not the default, or if the name is not unique. */
export function tableLabel(table: TableName, { dataSource, tables }: Briefing): string {
  const isOnly = tables.filter(({ tableName }) => tableName === table.tableName).length < 2;
  const isUsual = table.schemaName === dataSource.defaultSchema;
  return isUsual && isOnly ? table.tableName : `${table.schemaName}.${table.tableName}`;
}

export const findTable = (tables: readonly Table[], name: TableName) =>
  tables.find((table) => keyOf(table) === keyOf(name));
