import { type SQL, sql } from "drizzle-orm";
import { actors } from "../../actors/tables.ts";
import { contracts } from "../../data-quality/tables.ts";
import { dataSourceSchemas, dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { queries } from "../../queries/tables.ts";
import { catalogEntries, catalogSources } from "../tables.ts";
import { longestDescription, namesOf, wordsOf } from "./entry-words.ts";
import { descriptionsOf, indexReadSchema } from "./index-schema.ts";

/**
 * Keeps the search index up to date. Each search first checks whether anything has changed, so that it finds new things
 * at once, and schemas that were read before there was an index; usually nothing has, and the check is a single query.
 *
 * The index is a separate table because indexes on the original names would slow down claiming thousands of due
 * contracts.
 */
export async function refreshEntries(): Promise<void> {
  const [changed] = await db.execute<{ objects: boolean; sourceIds: number[] }>(sql`
    select exists (${changedObjects(sql`1`)}) as "objects",
      array(
        select ${dataSourceSchemas.dataSourceId} from ${dataSourceSchemas}
        left join ${catalogSources} on ${catalogSources.dataSourceId} = ${dataSourceSchemas.dataSourceId}
        where ${catalogSources.readAt} is distinct from ${dataSourceSchemas.readAt}
          or ${catalogSources.descriptions} <> ${descriptionsOf(sql`${dataSourceSchemas.dataSourceId}`)}
        order by 1
      ) as "sourceIds"`);
  if (changed?.objects) await copyObjects();
  for (const id of changed?.sourceIds ?? []) await indexReadSchema(id);
}

/** The current queries, contracts, and actors. */
const objects = sql`
  select 'Query'::catalog_entry_kind as kind, ${queries.id} as object_id, ${queries.projectId} as project_id,
    null::integer as data_source_id, null as schema_name, null as table_name, ${queries.name} as name, ${queries.description} as description
  from ${queries} where ${queries.archivedAt} is null
  union all
  select 'Contract', ${contracts.id}, ${dataSources.projectId}, ${contracts.dataSourceId}, ${contracts.schemaName},
    ${contracts.tableName}, ${contracts.name}, ${contracts.description}
  from ${contracts} join ${dataSources} on ${dataSources.id} = ${contracts.dataSourceId}
  where ${contracts.archivedAt} is null
  union all
  select 'Actor', ${actors.id}, ${actors.projectId}, ${actors.dataSourceId}, null, null, ${actors.name}, ${actors.instructions}
  from ${actors} where ${actors.archivedAt} is null`;

const copied = sql.raw(
  "kind, object_id, project_id, data_source_id, schema_name, table_name, name, description",
);

/** Objects without an entry, with a different one, or entries without an object. */
const changedObjects = (what: SQL) => sql`
  select ${what} from (${objects}) as o
  full join (select ${copied} from ${catalogEntries} where object_id is not null) as e
    on e.kind = o.kind and e.object_id = o.object_id
  where (o.name, o.description, o.project_id, o.data_source_id, o.schema_name, o.table_name)
    is distinct from (e.name, e.description, e.project_id, e.data_source_id, e.schema_name, e.table_name)`;

const kinds = sql.raw("coalesce(o.kind, e.kind) as kind, coalesce(o.object_id, e.object_id) as object_id");

/** One search at a time updates the index, so that concurrent ones don't deadlock. */
async function copyObjects(): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('catalog objects', 0))`);
    await tx.execute(sql`
      delete from ${catalogEntries} as e using (${changedObjects(kinds)}) as changed
      where e.kind = changed.kind and e.object_id = changed.object_id`);
    await tx.execute(sql`
      insert into ${catalogEntries} (${copied}, names, document)
      select ${copied}, names, names || array_to_tsvector(${wordsOf(sql.raw("around"))})
      from (
        select o.*, ${namesOf(sql.raw("o.name"))} as names,
          concat_ws(' ', o.schema_name, o.table_name, left(o.description, ${longestDescription})) as around
        from (${objects}) as o
      ) as new
      where not exists (
        select from ${catalogEntries} as e where e.kind = new.kind and e.object_id = new.object_id
      )`);
  });
}
