import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Kind } from "../kinds.ts";
import { keyIn, type Named } from "../table-key.ts";

type NamedColumns = Record<keyof Named, PgColumn>;

/**
 * The rows that may be of a table, in a statement: those of its name where case makes a difference, else of any case. The
 * caller compares what it loads by `keyIn`. Undefined, for all rows, where this database may fold letters otherwise.
 */
export function mayBeTable(kind: Kind, columns: NamedColumns, table: Named): SQL | undefined {
  const [upper, lower] = [keyIn(kind, inCase("A")), keyIn(kind, inCase("a"))];
  if (upper !== lower)
    return and(eq(columns.schemaName, table.schemaName), eq(columns.tableName, table.tableName));
  if (!isAscii(table.schemaName + table.tableName)) return undefined;
  return and(
    sql`lower(${columns.schemaName}) = lower(${table.schemaName})`,
    sql`lower(${columns.tableName}) = lower(${table.tableName})`,
  );
}

const inCase = (name: string): Named => ({ schemaName: name, tableName: name });

const isAscii = (text: string) => Buffer.byteLength(text) === text.length;
