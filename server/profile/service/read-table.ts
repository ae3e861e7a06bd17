import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import { relationIn } from "../../data-sources/dialects/clauses.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type ResultSet, type Session } from "../../data-sources/engines/engine.ts";
import type { ColumnFacts } from "../observed-column.ts";
import { type ObservedTable, observe } from "../observed-table.ts";
import { momentOf } from "../plain-values.ts";
import { canSpread, readSql } from "../read-sql.ts";

/** The maximum read of one table, and the time limits in milliseconds. Tests shorten them. */
export const readLimits = {
  rows: 100_000,
  columns: 200,
  bytes: 64 * 1024 * 1024,
  readMs: 60_000,
  countMs: 30_000,
};

export type TableToRead = DatabaseSchema["items"][number]["tables"][number] & { schemaName: string };

/**
 * The current rows of a table: all of them or, if there are too many or they are too large, some from all over it with
 * the exact total, if the server counts them in time. Columns beyond 200 are omitted. Throws SourceError.
 */
export async function readTable(
  session: Session,
  dialect: Dialect,
  table: TableToRead,
  { readMs, countMs }: Pick<typeof readLimits, "readMs" | "countMs"> = readLimits,
): Promise<ObservedTable> {
  const columns = columnsOf(dialect, table);
  const target = { schemaName: table.schemaName, tableName: table.tableName, columns };
  const read = (maxRows: number, spreadOver: number | null) =>
    session.read(
      // One row more than is kept shows whether there are more.
      {
        sql: readSql(dialect, table, columns, { maxRows: maxRows + 1, spreadOver }),
        parameters: [],
        ownSql: true,
      },
      { timeoutMs: readMs, maxRows, maxBytes: readLimits.bytes },
    );
  const isKnownToBeLarge = (table.rowEstimate ?? 0) > readLimits.rows * 1.2;
  const whole = isKnownToBeLarge && canSpread(dialect, table) ? null : await read(readLimits.rows, null);
  if (whole && !whole.truncated) return observe(target, whole.rows);
  const totalRows = await countRows(session, dialect, table, countMs);
  const some = await spread(whole, totalRows ?? table.rowEstimate, table, dialect, read);
  return observe(target, some.rows, {
    isWhole: false,
    totalRows: Math.max(totalRows ?? table.rowEstimate ?? 0, some.rows.length),
  });
}

/** Rows from all over the table, if the server supports that; otherwise the rows that were read first. */
async function spread(
  first: ResultSet | null,
  totalRows: number | null,
  table: TableToRead,
  dialect: Dialect,
  read: (maxRows: number, spreadOver: number | null) => Promise<ResultSet>,
): Promise<ResultSet> {
  const maxRows = Math.max(1, Math.min(readLimits.rows, first?.rows.length ?? readLimits.rows));
  if (canSpread(dialect, table) && totalRows !== null && totalRows > maxRows * 1.2)
    try {
      const some = await read(maxRows, totalRows);
      if (some.rows.length >= maxRows / 2) return some;
    } catch (error) {
      // Some tables, such as foreign ones, have no pages to sample.
      if (!isSourceError(error) || error.kind === "unreachable") throw error;
    }
  return first ?? read(maxRows, null);
}

/** null if the server does not respond in time. */
export async function countRows(
  session: Session,
  dialect: Dialect,
  table: TableToRead,
  timeoutMs: number,
): Promise<number | null> {
  const sql = `select ${dialect.count()} from ${relationIn(dialect, table.schemaName, table.tableName)}`;
  try {
    const { rows } = await session.read(
      { sql, parameters: [], answersOneRow: true, ownSql: true },
      { timeoutMs, maxRows: 1, maxBytes: 1024 },
    );
    return Number(rows[0]?.[0] ?? 0);
  } catch (error) {
    if (!isSourceError(error) || error.kind === "unreachable") throw error;
    return null;
  }
}

/** A table of which only the existence and the columns are known. */
export const unreadTable = (dialect: Dialect, table: TableToRead): ObservedTable =>
  observe(
    { schemaName: table.schemaName, tableName: table.tableName, columns: columnsOf(dialect, table) },
    [],
    { isWhole: false, totalRows: table.rowEstimate ?? 0 },
  );

/** The columns to read. */
export function columnsOf(dialect: Dialect, { columns }: TableToRead): ColumnFacts[] {
  return columns.slice(0, readLimits.columns).map(({ name, type, nullable, isPrimaryKey, references }) => ({
    ...{ name, type, isPrimaryKey, references },
    kind: dialect.kindOf(type),
    isNullable: nullable,
  }));
}

/** The data source's clock, in milliseconds since 1970. Throws SourceError. */
export async function readClock(session: Session, dialect: Dialect): Promise<number> {
  const { rows } = await session.read(
    {
      sql: `select ${dialect.exactText(dialect.now, "time")} as now`,
      ...{ parameters: [], answersOneRow: true, ownSql: true },
    },
    { timeoutMs: readLimits.countMs, maxRows: 1, maxBytes: 1024 },
  );
  return momentOf(String(rows[0]?.[0] ?? ""));
}
