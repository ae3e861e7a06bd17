import { type SQL, sql } from "drizzle-orm";
import { actors } from "../../actors/tables.ts";
import { contracts } from "../../data-quality/tables.ts";
import { catalogDescriptions, dataSourceSchemas, dataSources, tableTags } from "../../data-sources/tables.ts";
import { db, type Transaction } from "../../db/client.ts";
import { queries } from "../../queries/tables.ts";
import { catalogEntries, catalogSources, catalogWords } from "../tables.ts";
import { longestDescription, namesOf, wordsOf } from "./entry-words.ts";

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

/** A value that changes with every change of a data source's descriptions and tags. */
const descriptionsOf = (dataSourceId: SQL) => sql`concat(
  (select concat(count(*), ' ', sum(extract(epoch from ${catalogDescriptions.updatedAt})))
    from ${catalogDescriptions} where ${catalogDescriptions.dataSourceId} = ${dataSourceId}),
  (select concat(' ', count(*), ' ', sum(extract(epoch from ${tableTags.updatedAt})))
    from ${tableTags} where ${tableTags.dataSourceId} = ${dataSourceId} having count(*) > 0)
)`;

/** Indexes a data source's tables and columns as last read and described, unless that is already done. */
export async function indexReadSchema(dataSourceId: number): Promise<void> {
  await db.transaction(async (tx) => {
    // Concurrent callers wait here, and then find it done.
    const marked = await tx.execute(sql`
      insert into ${catalogSources} as c (data_source_id, read_at, descriptions)
      select s.data_source_id, s.read_at, ${descriptionsOf(sql.raw("s.data_source_id"))}
      from ${dataSourceSchemas} as s where s.data_source_id = ${dataSourceId} for key share
      on conflict (data_source_id) do update set read_at = excluded.read_at, descriptions = excluded.descriptions
        where (c.read_at, c.descriptions) <> (excluded.read_at, excluded.descriptions)
      returning 1`);
    if (marked.length > 0) await copySchema(tx, dataSourceId);
  });
}

async function copySchema(tx: Transaction, dataSourceId: number): Promise<void> {
  await tx.execute(sql`delete from ${catalogEntries} where source_id = ${dataSourceId}`);
  await tx.execute(sql`delete from ${catalogWords} where data_source_id = ${dataSourceId}`);
  await tx.execute(sql`
    with tables as materialized (
      select s.value->>'schemaName' as schema_name, t.value->>'tableName' as table_name,
        t.value->>'comment' as comment, t.value->'columns' as columns
      from ${dataSourceSchemas}, jsonb_array_elements(items) as s, jsonb_array_elements(s.value->'tables') as t
      where data_source_id = ${dataSourceId}
    ), entries as (
      select 'Table'::catalog_entry_kind as kind, schema_name, table_name, null as column_name, table_name as name, comment
      from tables
      union all
      select 'Column', schema_name, table_name, c.value->>'name', c.value->>'name', c.value->>'comment'
      from tables, jsonb_array_elements(columns) as c
    ), described as (
      select kind, e.schema_name, e.table_name, name,
        -- A table that is found by its tags alone says so.
        coalesce(d.description, comment, case kind when 'Table' then 'Tagged ' || array_to_string(t.tags, ', ') end) as description,
        concat_ws(' ', e.schema_name, case kind when 'Column' then e.table_name end,
          left(d.description, ${longestDescription}), left(comment, ${longestDescription}),
          case kind when 'Table' then array_to_string(t.tags, ' ') end) as around
      from entries as e
      left join ${tableTags} as t on t.data_source_id = ${dataSourceId} and t.schema_name = e.schema_name
        and t.table_name = e.table_name
      left join (
        select schema_name, table_name, column_name, description from ${catalogDescriptions}
        where data_source_id = ${dataSourceId}
      ) as d on d.schema_name = e.schema_name and d.table_name = e.table_name
        and d.column_name is not distinct from e.column_name
    )
    insert into ${catalogEntries} (kind, source_id, schema_name, table_name, name, description, names, document)
    select kind, ${dataSourceId}, schema_name, table_name, name, description, names,
      names || array_to_tsvector(${wordsOf(sql.raw("around"))})
    from (select *, ${namesOf(sql.raw("name"))} as names from described) as new`);
  await tx.execute(sql`
    insert into ${catalogWords} (data_source_id, word)
    select distinct ${dataSourceId}::integer, word
    from ${catalogEntries}, unnest(tsvector_to_array(names)) as word
    where source_id = ${dataSourceId} and word !~ '^=' and length(word) between 3 and 64`);
}
