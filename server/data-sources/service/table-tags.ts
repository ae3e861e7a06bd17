import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { sendEvents } from "../../jobs/client.ts";
import { tableTagged } from "../events.ts";
import type { Kind } from "../kinds.ts";
import { keyIn, type Named } from "../table-key.ts";
import { dataSources, tableTags } from "../tables.ts";
import { getDataSource } from "./load-data-sources.ts";
import { getSchema } from "./read-schema.ts";

/** The tags of a table; none for one that is unknown. */
export type TagsOf = (table: Named & { dataSourceId: number }) => readonly string[];

/** The tables of a data source that have tags, by name. Throws not_found for one that the caller cannot access. */
export async function listTags(ctx: SignedIn, id: number) {
  await getDataSource(ctx, id);
  const { schemaName, tableName, tags } = tableTags;
  const items = await db
    .select({ schemaName, tableName, tags })
    .from(tableTags)
    .where(eq(tableTags.dataSourceId, id))
    .orderBy(asc(schemaName), asc(tableName));
  return { items };
}

/** The tags of these data sources' tables. The caller checks access. */
export const loadTags = (connection: Connection, dataSourceIds: readonly number[]): Promise<TagsOf> =>
  tagsWhere(connection, inArray(tableTags.dataSourceId, [...dataSourceIds]));

/** The tags of a project's tables. */
export const loadProjectTags = (connection: Connection, projectId: number): Promise<TagsOf> =>
  tagsWhere(connection, eq(dataSources.projectId, projectId));

async function tagsWhere(connection: Connection, condition: ReturnType<typeof eq>): Promise<TagsOf> {
  const rows = await connection
    .select({ table: tableTags, kind: dataSources.kind })
    .from(tableTags)
    .innerJoin(dataSources, eq(dataSources.id, tableTags.dataSourceId))
    .where(condition);
  const kinds = new Map<number, Kind>();
  const known = new Map<string, readonly string[]>();
  for (const { table, kind } of rows) {
    kinds.set(table.dataSourceId, kind);
    known.set(`${table.dataSourceId} ${keyIn(kind, table)}`, table.tags);
  }
  return ({ dataSourceId, ...table }) => {
    const kind = kinds.get(dataSourceId);
    return (kind && known.get(`${dataSourceId} ${keyIn(kind, table)}`)) ?? [];
  };
}

/**
 * Replaces a table's tags. Rule templates that select by them follow. Throws not_found for a data source that the caller
 * cannot access, and for a table that is neither in its schema nor has tags.
 */
export async function saveTags(
  ctx: SignedIn,
  { id, tags: asked, ...table }: Named & { id: number; tags: string[] },
) {
  await requireTable(ctx, id, table);
  const tags = [...new Set(asked)].sort();
  const isThis = isTable(id, table);
  return recorded(ctx, () =>
    db.transaction(async (tx) => {
      if (tags.length === 0) await tx.delete(tableTags).where(isThis);
      else
        await tx
          .insert(tableTags)
          .values({ dataSourceId: id, ...table, tags })
          .onConflictDoUpdate({
            target: [tableTags.dataSourceId, tableTags.schemaName, tableTags.tableName],
            set: { tags, updatedAt: sql`clock_timestamp()` },
          });
      await sendEvents(tx, tableTagged.create({ dataSourceId: id }));
      return { ...table, tags };
    }),
  );
}

/**
 * Replaces the tags of many tables; none removes them. Rule templates follow. The caller has checked that they exist, and
 * that the tags are as `tagTableInput` takes them.
 */
export async function storeTags(
  tx: Transaction,
  dataSourceId: number,
  tables: readonly (Named & { tags: readonly string[] })[],
): Promise<void> {
  if (tables.length === 0) return;
  const given = sql`jsonb_to_recordset(${JSON.stringify(tables)}::jsonb)
    as given ("schemaName" text, "tableName" text, tags text[])`;
  await tx.execute(sql`
    delete from ${tableTags} using ${given}
    where ${tableTags.dataSourceId} = ${dataSourceId} and ${tableTags.schemaName} = given."schemaName"
      and ${tableTags.tableName} = given."tableName" and cardinality(given.tags) = 0`);
  await tx.execute(sql`
    insert into ${tableTags} (data_source_id, schema_name, table_name, tags)
    select ${dataSourceId}, "schemaName", "tableName", tags from ${given} where cardinality(tags) > 0
    on conflict (data_source_id, schema_name, table_name) do update
    set tags = excluded.tags, updated_at = clock_timestamp()`);
  await sendEvents(tx, tableTagged.create({ dataSourceId }));
}

const isTable = (dataSourceId: number, { schemaName, tableName }: Named) =>
  and(
    eq(tableTags.dataSourceId, dataSourceId),
    eq(tableTags.schemaName, schemaName),
    eq(tableTags.tableName, tableName),
  );

async function requireTable(ctx: SignedIn, id: number, table: Named): Promise<void> {
  await getDataSource(ctx, id);
  if ((await db.$count(tableTags, isTable(id, table))) > 0) return;
  const { items } = await getSchema(ctx, id);
  const schema = items.find(({ schemaName }) => schemaName === table.schemaName);
  if (!schema?.tables.some(({ tableName }) => tableName === table.tableName))
    throw new Problem("not_found", "Table not found");
}
