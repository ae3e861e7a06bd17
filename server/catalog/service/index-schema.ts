import { type SQL, sql } from "drizzle-orm";
import { catalogDescriptions, dataSourceSchemas, tableTags } from "../../data-sources/tables.ts";
import { db, type Transaction } from "../../db/client.ts";
import { catalogEntries, catalogSources, catalogWords } from "../tables.ts";
import { longestDescription, namesOf, wordsOf } from "./entry-words.ts";

/** A value that changes with every change of a data source's descriptions and tags. */
export const descriptionsOf = (dataSourceId: SQL) => sql`concat(
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
    if (marked.length > 0) await copyTables(tx, dataSourceId);
  });
}

/**
 * Replaces the entries of tables that are not what they were when they were indexed, or gone. Of 10,000 tables, one usually
 * differs, because someone has described it.
 */
async function copyTables(tx: Transaction, dataSourceId: number): Promise<void> {
  const lost = await tx.execute<{ word: string }>(sql`
    with described as materialized (
      select schema_name, table_name, column_name, description from ${catalogDescriptions}
      where data_source_id = ${dataSourceId}
    ), tagged as materialized (
      select schema_name, table_name, tags from ${tableTags} where data_source_id = ${dataSourceId}
    ), said as (
      select schema_name, table_name, jsonb_agg(jsonb_build_array(column_name, description) order by column_name) as words
      from described group by schema_name, table_name
    ), tables as materialized (
      select named.*, md5(concat_ws(' ', schema, (select words from said as s
          where s.schema_name = named.schema_name and s.table_name = named.table_name), (select to_jsonb(tags) from tagged as t
          where t.schema_name = named.schema_name and t.table_name = named.table_name))) as fingerprint
      from (
        select s.value->>'schemaName' as schema_name, t.value->>'tableName' as table_name,
          t.value->>'comment' as comment, t.value->'columns' as columns, t.value - 'rowEstimate' as schema
        from ${dataSourceSchemas}, jsonb_array_elements(items) as s, jsonb_array_elements(s.value->'tables') as t
        where data_source_id = ${dataSourceId}
        offset 0) as named
    ), changed as materialized (
      select schema_name, table_name from tables as t
      full join (
        select schema_name, table_name, fingerprint from ${catalogEntries}
        where source_id = ${dataSourceId} and kind = 'Table'
      ) as e using (schema_name, table_name)
      where e.fingerprint is distinct from t.fingerprint
    ), removed as (
      delete from ${catalogEntries} as e using changed
      where e.source_id = ${dataSourceId} and e.schema_name = changed.schema_name and e.table_name = changed.table_name
      returning e.names
    ), entries as (
      select 'Table'::catalog_entry_kind as kind, schema_name, table_name, null as column_name, table_name as name, comment,
        fingerprint
      from tables join changed using (schema_name, table_name)
      union all
      select 'Column', schema_name, table_name, c.value->>'name', c.value->>'name', c.value->>'comment', null
      from tables join changed using (schema_name, table_name), jsonb_array_elements(columns) as c
    ), in_words as (
      select kind, e.schema_name, e.table_name, name, fingerprint,
        -- A table that is found by its tags alone says so.
        coalesce(d.description, comment, case kind when 'Table' then 'Tagged ' || array_to_string(t.tags, ', ') end) as description,
        concat_ws(' ', e.schema_name, case kind when 'Column' then e.table_name end,
          left(d.description, ${longestDescription}), left(comment, ${longestDescription}),
          case kind when 'Table' then array_to_string(t.tags, ' ') end) as around
      from entries as e
      left join tagged as t on t.schema_name = e.schema_name and t.table_name = e.table_name
      left join described as d on d.schema_name = e.schema_name and d.table_name = e.table_name
        and d.column_name is not distinct from e.column_name
    ), added as (
      insert into ${catalogEntries} (kind, source_id, schema_name, table_name, name, description, fingerprint, names, document)
      select kind, ${dataSourceId}, schema_name, table_name, name, description, fingerprint, names,
        names || array_to_tsvector(${wordsOf(sql.raw("around"))})
      from (select *, ${namesOf(sql.raw("name"))} as names from in_words) as new
      returning names
    ), added_words as (
      insert into ${catalogWords} (data_source_id, word)
      select distinct ${dataSourceId}::integer, word from added, ${wordsIn("names")}
      on conflict do nothing
    )
    -- What was added again is not looked for: of tables that all changed a little, that is every word.
    select word from removed, ${wordsIn("names")} except select word from added, ${wordsIn("names")}`);
  if (lost.length === 0) return;
  const words = JSON.stringify(lost.map(({ word }) => word));
  await tx.execute(sql`
    delete from ${catalogWords} as w
    where w.data_source_id = ${dataSourceId} and w.word in (select json_array_elements_text(${words}::json))
      and not exists (
        select from ${catalogEntries} as e, ${wordsIn("e.names", "of_entry")}
        where e.source_id = ${dataSourceId} and e.document @@ quote_literal(w.word)::tsquery and of_entry.word = w.word)`);
}

/** The words of a column with names that may be corrected to. */
const wordsIn = (names: string, as = "of_name") =>
  sql.raw(`lateral (
      select word from unnest(tsvector_to_array(${names})) as word
      where word !~ '^=' and length(word) between 3 and 64) as ${as}`);
