import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { nextRevision, rejectStale } from "../../edits/service.ts";
import { Problem } from "../../errors.ts";
import { sendEvents } from "../../jobs/client.ts";
import { claimManaged, rejectAnyManaged, releaseManaged } from "../../stacks/service.ts";
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
  const { schemaName, tableName } = tableTags;
  const items = await db
    .select({ id: tableTags.id, schemaName, tableName, tags: tableTags.tags, revision: tableTags.revision })
    .from(tableTags)
    .where(eq(tableTags.dataSourceId, id))
    .orderBy(asc(schemaName), asc(tableName));
  return { items };
}

/** The tags of these data sources' tables. The caller checks access. */
export const loadTags = (connection: Connection, dataSourceIds: readonly number[]): Promise<TagsOf> =>
  tagsWhere(connection, inArray(tableTags.dataSourceId, [...dataSourceIds]));

/** The tags of the tables of projects. */
export const loadProjectTags = (connection: Connection, projectIds: readonly number[]): Promise<TagsOf> =>
  tagsWhere(connection, inArray(dataSources.projectId, [...projectIds]));

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
 * cannot access, and for a table that is neither in its schema nor has tags; a file may describe one that is still to come.
 * Throws conflict if the caller's revision is no longer current.
 */
export async function saveTags(ctx: SignedIn, { id, tags: asked, baseRevision, ...table }: TagsWrite) {
  const { projectId } = await getDataSource(ctx, id);
  if (!ctx.actingStack) await requireTable(ctx, id, table);
  const tags = [...new Set(asked)].sort();
  return recorded(ctx, () =>
    db.transaction(async (tx) => {
      const isThis = isTable(id, table);
      const [stored] = await tx.select().from(tableTags).where(isThis).for("no key update");
      if (stored) await rejectStale(tx, { kind: "TableTags", ...stored, baseRevision });
      await sendEvents(tx, tableTagged.create({ dataSourceId: id }));
      if (tags.length > 0) {
        const saved = stored
          ? await updateTags(tx, ctx, stored, tags)
          : await insertTags(tx, id, table, tags);
        await claimManaged(tx, ctx, { kind: "TableTags", projectId, ...saved });
        return { ...table, tags, ...saved };
      }
      if (stored) {
        await releaseManaged(tx, ctx, { kind: "TableTags", id: stored.id });
        await tx.delete(tableTags).where(isThis);
      }
      return { ...table, tags, id: null, revision: null };
    }),
  );
}

type TagsWrite = Named & { id: number; tags: string[]; baseRevision?: number | undefined };
const idAndRevision = { id: tableTags.id, revision: tableTags.revision };

async function updateTags(tx: Transaction, ctx: SignedIn, stored: Stored, tags: string[]) {
  const { id, revision: current } = stored;
  const states = { before: { tags: stored.tags }, after: { tags } };
  const revision = await nextRevision(tx, ctx, { kind: "TableTags", id, revision: current, ...states });
  const set = { tags, revision, updatedAt: sql`clock_timestamp()` };
  await tx.update(tableTags).set(set).where(eq(tableTags.id, id));
  return { id, revision };
}

async function insertTags(tx: Transaction, dataSourceId: number, table: Named, tags: string[]) {
  const [inserted] = await tx
    .insert(tableTags)
    .values({ dataSourceId, ...table, tags })
    .onConflictDoUpdate({
      // Someone tagged it at the same moment.
      target: [tableTags.dataSourceId, tableTags.schemaName, tableTags.tableName],
      set: { tags, revision: sql`${tableTags.revision} + 1`, updatedAt: sql`clock_timestamp()` },
    })
    .returning(idAndRevision);
  if (!inserted) throw new Error("The insert returned no tags");
  return inserted;
}

type Stored = typeof tableTags.$inferSelect;

/** The tags of a data source that is to be deleted with them. */
export async function idsOfTags(tx: Transaction, dataSourceId: number): Promise<number[]> {
  const of = eq(tableTags.dataSourceId, dataSourceId);
  return (await tx.select(idAndRevision).from(tableTags).where(of)).map(({ id }) => id);
}

/**
 * Replaces the tags of many tables; none removes them. Rule templates follow. The caller has checked that they exist, and
 * that the tags are as `tagTableInput` takes them. Throws conflict if files own the tags of one.
 */
export async function storeTags(
  tx: Transaction,
  ctx: SignedIn,
  dataSourceId: number,
  tables: readonly (Named & { tags: readonly string[] })[],
): Promise<void> {
  if (tables.length === 0) return;
  const given = sql`jsonb_to_recordset(${JSON.stringify(tables)}::jsonb)
    as given ("schemaName" text, "tableName" text, tags text[])`;
  const before = await tx
    .select(idAndRevision)
    .from(tableTags)
    .innerJoin(
      given,
      sql`${tableTags.schemaName} = given."schemaName" and ${tableTags.tableName} = given."tableName"`,
    )
    .where(eq(tableTags.dataSourceId, dataSourceId))
    .for("no key update", { of: tableTags });
  await rejectAnyManaged(
    tx,
    ctx,
    "TableTags",
    before.map(({ id }) => id),
  );
  await tx.execute(sql`
    delete from ${tableTags} using ${given}
    where ${tableTags.dataSourceId} = ${dataSourceId} and ${tableTags.schemaName} = given."schemaName"
      and ${tableTags.tableName} = given."tableName" and cardinality(given.tags) = 0`);
  await tx.execute(sql`
    insert into ${tableTags} (data_source_id, schema_name, table_name, tags)
    select ${dataSourceId}, "schemaName", "tableName", tags from ${given} where cardinality(tags) > 0
    on conflict (data_source_id, schema_name, table_name) do update
    set tags = excluded.tags, revision = ${tableTags.revision} + 1, updated_at = clock_timestamp()`);
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
