import { eq, inArray, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Connection, db, groupDb } from "../../db/client.ts";
import { compiled } from "../../db/compiled.ts";
import { gathered, idsOf, isOneOfIds } from "../../db/gathered.ts";
import type { DatabaseSchema, tableSchema } from "../database-schema.ts";
import type { Kind } from "../kinds.ts";
import { keyIn, type Named } from "../table-key.ts";
import { dataSourceSchemas } from "../tables.ts";

/**
 * Tables as last introspected, for callers that cannot wait for the data source itself. Empty for a data source that
 * was never read. The caller checks access.
 */
export type KnownTable = {
  schemaName: string;
  tableName: string;
  kind: "Table" | "View";
  rowEstimate: number | null;
  comment: string | null;
  columnCount: number;
};

type KnownTables = { readAt: Date; tables: KnownTable[] };

/** Tables extracted from schemas, kept until those are read again: overviews ask for them again and again. */
const takenOut = new Map<number, KnownTables>();
const maxExcluded = 500;

/** By data source, in the order of schemas and tables; without their columns. */
export async function listKnownTables(
  dataSourceIds: readonly number[],
): Promise<ReadonlyMap<number, KnownTables>> {
  const read = await db
    .select({ id: dataSourceSchemas.dataSourceId, readAt: dataSourceSchemas.readAt })
    .from(dataSourceSchemas)
    .where(inArray(dataSourceSchemas.dataSourceId, [...dataSourceIds]));
  const isNew = ({ id, readAt }: (typeof read)[number]) =>
    takenOut.get(id)?.readAt.getTime() !== readAt.getTime();
  const taken = new Map(
    (await takeOut(read.filter(isNew).map(({ id }) => id))).map((each) => [each.id, each]),
  );
  const known = new Map<number, KnownTables>();
  for (const { id } of read) {
    const found = taken.get(id) ?? takenOut.get(id);
    if (found) known.set(id, { readAt: found.readAt, tables: found.tables });
  }
  for (const [id, tables] of known) takenOut.set(id, tables);
  for (const id of takenOut.keys()) if (takenOut.size > maxExcluded) takenOut.delete(id);
  return known;
}

/**
 * Extracted in the database: a schema with its columns may be megabytes in size. Only what is shown of a table is sorted,
 * as a row with its whole schema beside it would be sorted with that: of 10,000 tables, gigabytes of files.
 */
async function takeOut(dataSourceIds: readonly number[]) {
  if (dataSourceIds.length === 0) return [];
  return db
    .select({
      id: dataSourceSchemas.dataSourceId,
      readAt: dataSourceSchemas.readAt,
      tables: sql<KnownTable[]>`(
        select coalesce(jsonb_agg(shown order by schema_place, place), '[]')
        from (
          select s.ordinality as schema_place, t.ordinality as place, jsonb_build_object(
            'schemaName', s.value->'schemaName', 'tableName', t.value->'tableName', 'kind', t.value->'kind',
            'rowEstimate', t.value->'rowEstimate', 'comment', t.value->'comment',
            'columnCount', jsonb_array_length(t.value->'columns')) as shown
          from jsonb_array_elements(${dataSourceSchemas.items}) with ordinality as s,
            jsonb_array_elements(s.value->'tables') with ordinality as t
          offset 0) as tables)`,
    })
    .from(dataSourceSchemas)
    .where(inArray(dataSourceSchemas.dataSourceId, [...dataSourceIds]));
}

/** One table of a schema, as a path into it: ten times as fast as to unfold all tables and compare their names. */
const tablePath = sql.raw("$[*] ? (@.schemaName == $schemaName).tables[*] ? (@.tableName == $tableName)");
const isTable = sql.raw("(@.schemaName == $schemaName && @.tableName == $tableName)");
const asVariables = ({ schemaName, tableName }: Named) =>
  sql`${JSON.stringify({ schemaName, tableName })}::jsonb`;

/** Types of columns, kept until the schema is read again: evaluations ask for them again and again. */
const typesOfTables = new Map<string, { readAt: number; types: ReadonlyMap<string, string> }>();
const maxTables = 5000;

/** The types of a table's columns by name as last read; empty for a table that is not known. */
export async function knownColumnTypes(
  dataSourceId: number,
  { schemaName, tableName }: { schemaName: string; tableName: string },
): Promise<ReadonlyMap<string, string>> {
  const readAt = await schemaReadAt(dataSourceId);
  if (!readAt) return new Map();
  const key = JSON.stringify([dataSourceId, schemaName, tableName]);
  const kept = typesOfTables.get(key);
  if (kept?.readAt === readAt.getTime()) return kept.types;
  const rows = await db.execute<{ name: string; type: string }>(sql`
    select c.value->>'name' as name, c.value->>'type' as type
    from ${dataSourceSchemas},
      jsonb_path_query(${dataSourceSchemas.items}, '${tablePath}.columns[*]', ${asVariables({ schemaName, tableName })}) as c(value)
    where ${dataSourceSchemas.dataSourceId} = ${dataSourceId}`);
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  typesOfTables.set(key, { readAt: readAt.getTime(), types });
  for (const oldest of typesOfTables.keys()) if (typesOfTables.size > maxTables) typesOfTables.delete(oldest);
  return types;
}

const schemasByIds = compiled(
  (db) =>
    db
      .select({ id: dataSourceSchemas.dataSourceId, readAt: dataSourceSchemas.readAt })
      .from(dataSourceSchemas)
      .where(isOneOfIds(dataSourceSchemas.dataSourceId)),
  groupDb,
);

/** When the schema of a data source was last read; null if never. */
const schemaReadAt = gathered(async (dataSourceIds: readonly number[]) => {
  const read = await schemasByIds().execute(idsOf(dataSourceIds));
  const readAt = new Map(read.map((schema) => [schema.id, schema.readAt]));
  return dataSourceIds.map((id) => readAt.get(id) ?? null);
});

/** The names of a table's columns as last read; none for a table that was not there. */
export type ColumnNames = (table: Named) => readonly string[];

/** Reads those of one table, or of all for callers that ask for many. */
export async function readColumnNames(
  connection: Connection,
  { dataSourceId, kind, table }: { dataSourceId: number; kind: Kind; table?: Named },
): Promise<ColumnNames> {
  const rows = await connection.execute<Named & { columns: string[] }>(sql`
    select s.value->>'schemaName' as "schemaName", t.value->>'tableName' as "tableName",
      array(select c.value->>'name' from jsonb_array_elements(t.value->'columns') with ordinality as c
        order by c.ordinality) as columns
    from ${dataSourceSchemas}, jsonb_array_elements(${dataSourceSchemas.items}) as s,
      jsonb_array_elements(s.value->'tables') as t
    where ${dataSourceSchemas.dataSourceId} = ${dataSourceId}
      ${table ? sql`and lower(t.value->>'tableName') = lower(${table.tableName})` : sql``}`);
  const known = new Map(rows.map(({ columns, ...named }) => [keyIn(kind, named), columns]));
  return (named) => known.get(keyIn(kind, named)) ?? [];
}

/** The columns of a table's primary key, in order; empty if it has none or it is unknown. */
export async function findKeyColumns(
  dataSourceId: number,
  table: { schemaName: string; tableName: string },
): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    select c.value->>'name' as name
    from ${dataSourceSchemas},
      jsonb_path_query(${dataSourceSchemas.items}, '${tablePath}.columns[*]', ${asVariables(table)})
        with ordinality as c(value, ordinality)
    where ${dataSourceSchemas.dataSourceId} = ${dataSourceId} and (c.value->>'isPrimaryKey')::boolean
    order by c.ordinality`);
  return rows.map(({ name }) => name);
}

/** The schemas of a data source as last read, with the time; null if never read. */
export async function findKnownSchema(
  connection: Connection,
  dataSourceId: number,
): Promise<{ items: DatabaseSchema["items"]; readAt: Date } | null> {
  const [known] = await connection
    .select({ items: dataSourceSchemas.items, readAt: dataSourceSchemas.readAt })
    .from(dataSourceSchemas)
    .where(eq(dataSourceSchemas.dataSourceId, dataSourceId));
  return known ?? null;
}

/**
 * Keeps what is worked out of a data source's schema until that is read again, for what pages ask for again and again. null
 * if it was never read.
 */
export function keptUntilRead<Value>(workOut: (schema: DatabaseSchema) => Value) {
  const kept = new Map<number, { readAt: number; value: Value }>();
  return async (dataSourceId: number): Promise<Value | null> => {
    const readAt = await schemaReadAt(dataSourceId);
    if (!readAt) return null;
    const known = kept.get(dataSourceId);
    if (known?.readAt === readAt.getTime()) return known.value;
    const schema = await findKnownSchema(db, dataSourceId);
    if (!schema) return null;
    const value = workOut(schema);
    kept.set(dataSourceId, { readAt: schema.readAt.getTime(), value });
    for (const oldest of kept.keys()) if (kept.size > maxExcluded) kept.delete(oldest);
    return value;
  };
}

/** The foreign keys of a data source as last read: which table refers to which. */
export async function listForeignKeys(dataSourceId: number): Promise<{ from: Named; to: Named }[]> {
  const rows = await db.execute<Record<"fromSchema" | "fromTable" | "toSchema" | "toTable", string>>(sql`
    select distinct s.value->>'schemaName' as "fromSchema", t.value->>'tableName' as "fromTable",
      c.value->'references'->>'schemaName' as "toSchema", c.value->'references'->>'tableName' as "toTable"
    from ${dataSourceSchemas}, jsonb_array_elements(${dataSourceSchemas.items}) as s,
      jsonb_array_elements(s.value->'tables') as t, jsonb_array_elements(t.value->'columns') as c
    where ${dataSourceSchemas.dataSourceId} = ${dataSourceId} and jsonb_typeof(c.value->'references') = 'object'`);
  return [...rows].map(({ fromSchema, fromTable, toSchema, toTable }) => ({
    from: { schemaName: fromSchema, tableName: fromTable },
    to: { schemaName: toSchema, tableName: toTable },
  }));
}

type Reference = { schemaName: string; tableName: string; columnName: string; to: string };

/**
 * A table as last read (null if it did not exist), and the columns of any table that reference it; null if the data
 * source was never read.
 */
export async function findKnownTable(
  dataSourceId: number,
  { schemaName, tableName }: { schemaName: string; tableName: string },
): Promise<{ readAt: Date; table: z.output<typeof tableSchema> | null; referredBy: Reference[] } | null> {
  const variables = asVariables({ schemaName, tableName });
  const [known] = await db
    .select({
      readAt: dataSourceSchemas.readAt,
      table: sql<z.output<
        typeof tableSchema
      > | null>`jsonb_path_query_first(${dataSourceSchemas.items}, '${tablePath}', ${variables})`,
      referredBy: sql<Reference[]>`(
        select coalesce(jsonb_agg(reference order by schema_place, table_place, place), '[]')
        from (
          select s.ordinality as schema_place, t.ordinality as table_place, c.ordinality as place, jsonb_build_object(
            'schemaName', s.value->'schemaName', 'tableName', t.value->'tableName', 'columnName', c.value->'name',
            'to', c.value->'references'->'columnName') as reference
          from jsonb_array_elements(${dataSourceSchemas.items}) with ordinality as s,
            jsonb_path_query(s.value, '$.tables[*] ? (exists (@.columns[*].references ? ${isTable}))', ${variables})
              with ordinality as t(value, ordinality),
            jsonb_array_elements(t.value->'columns') with ordinality as c
          where c.value->'references'->>'schemaName' = ${schemaName}
            and c.value->'references'->>'tableName' = ${tableName}
          offset 0) as found)`,
    })
    .from(dataSourceSchemas)
    .where(eq(dataSourceSchemas.dataSourceId, dataSourceId));
  return known ?? null;
}
