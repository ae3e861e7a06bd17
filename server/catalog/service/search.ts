import { type SQL, sql } from "drizzle-orm";
import type { Principal, SignedIn } from "../../auth/principal.ts";
import { tableScores } from "../../data-quality/evaluations/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import {
  type findInput,
  type glanceInput,
  type HitKind,
  hitKinds,
  type SearchHit,
  type searchInput,
} from "../schema.ts";
import { type SearchQuery, type SimilarWords, searchQueryOf, wordsToLookUp } from "../search-query.ts";
import { similarWordsOf } from "../similar-words.ts";
import { catalogEntries, catalogWords } from "../tables.ts";
import { wordsOf } from "./entry-words.ts";
import { refreshEntries } from "./index-entries.ts";

type Search = ReturnType<typeof searchInput.parse>;
type Find = ReturnType<typeof findInput.parse>;
type Glance = ReturnType<typeof glanceInput.parse>;

/**
 * Searches tables, columns, queries, contracts, and actors by name and description, best match first: the exact name,
 * names that start with it, contain its words, or have words that start with them; then partial or misspelled words;
 * then descriptions. Archived objects are not found.
 */
export async function searchCatalog(ctx: SignedIn, { q, page, pageSize, ...filter }: Search) {
  const { items, totalCount } = await find(ctx.principal, q, filter, {
    limit: pageSize,
    offset: page * pageSize,
  });
  return { items, page, pageSize, totalCount };
}

/** The same for an MCP tool. */
export async function findInProject({ principal }: SignedIn, { query, maxResults, offset, projectId }: Find) {
  return find(principal, query, { projectId }, { limit: maxResults, offset });
}

/** Results of each kind for search as you type. */
const resultsPerKind = 6;

export async function glanceAtCatalog({ principal }: SignedIn, { q, projectId }: Glance) {
  const { items } = await find(principal, q, { projectId }, { limitPerKind: resultsPerKind });
  return { items };
}

type Filter = { kind?: HitKind | undefined; projectId?: number | undefined };
type Window = { limit: number; offset: number } | { limitPerKind: number };

async function find(principal: Principal, text: string, { kind, projectId }: Filter, window: Window) {
  await refreshEntries();
  const hasTrigrams = await mayUseTrigrams();
  const isVisible = visible(principal, projectId);
  const near = await lookUp(wordsToLookUp(text), { isVisible, hasTrigrams });
  const query = searchQueryOf(text, near);
  const hits = sql`
    select kind, id, rank, strpos(name, ${typedOf(text)}) > 0 as is_literal, name,
      ${hasTrigrams && query ? sql`case rank when 4 then similarity(name, ${query.typed}) end` : sql`null::real`} as likeness
    from (
      select e.kind, e.id, lower(e.name) as name, ${query ? rankOf(query) : sql`2`} as rank
      from ${catalogEntries} as e left join ${dataSources} on ${dataSources.id} = e.source_id
      where ${query ? sql`e.document @@ ${query.near}::tsquery` : sql`strpos(lower(e.name), ${typedOf(text)}) > 0`}
        and ${isVisible} ${kind === undefined ? sql`` : sql`and e.kind = ${kind}`}
    ) as matching
    where rank is not null`;
  const rows = await db.execute<Row>(sql`
    with hits as materialized (${hits})
    select total, e.kind, e.object_id as "id", e.name, left(e.description, 301) as "description",
      ${project} as "projectId",
      coalesce(e.source_id, e.data_source_id) as "dataSourceId",
      e.schema_name as "schemaName", e.table_name as "tableName", ${lastMeasured} as "qualityScore"
    from (select count(*)::integer as total from hits) as counted
      left join (${windowed(window)}) as shown on true
      left join ${catalogEntries} as e on e.id = shown.id
      left join ${dataSources} on ${dataSources.id} = e.source_id
      left join ${tableScores} as s on e.kind = 'Table' and s.data_source_id = e.source_id
        and s.schema_name = e.schema_name and s.table_name = e.table_name
    order by ${order}`);
  const items = rows.flatMap(({ total: _, ...hit }) => (hit.kind === null ? [] : shownHit(hit as SearchHit)));
  return { items, totalCount: rows[0]?.total ?? 0 };
}

/** The last measured score, even while the table's data source is unreachable. */
const lastMeasured = sql`case when s.measured is null then s.current_score::float8
  else (s.measured #>> '{latest,score}')::float8 end`;

type Row = { total: number } & { [Property in keyof SearchHit]: SearchHit[Property] | null };

const typedOf = (text: string) => text.trim().toLowerCase();

/** Truncates a long description. */
function shownHit({ description, ...hit }: SearchHit): SearchHit {
  const isLong = description !== null && [...description].length > 300;
  return { ...hit, description: isLong ? `${[...description].slice(0, 300).join("")}…` : description };
}

const order = sql.raw(
  "rank, is_literal desc, likeness desc nulls last, shown.kind, length(shown.name), shown.name, shown.id",
);

/** Beyond any list, and within PostgreSQL's integers. */
const maxOffset = 2 ** 31;

function windowed(window: Window): SQL {
  if ("limit" in window)
    return sql`select * from hits as shown order by ${order} limit ${window.limit} offset ${Math.min(window.offset, maxOffset)}`;
  return sql`
    select each.* from unnest(${textArray(hitKinds)}::catalog_entry_kind[]) as wanted(kind)
      cross join lateral (
        select * from hits as shown where shown.kind = wanted.kind order by ${order} limit ${window.limitPerKind}
      ) as each`;
}

/** An array as a single parameter. */
const textArray = (values: readonly string[]) =>
  sql`${`{${values.map((value) => `"${value}"`).join(",")}}`}::text[]`;

/**
 * How well an entry matches: 0 (exact name) to 6. A column doesn't match by its table's name, nor a table by its
 * schema's: then it is null. A contract does match by its table's name.
 */
function rankOf({ typed, same, begins, whole, begun, near, any }: SearchQuery): SQL {
  const fits = (query: string) => sql`e.names @@ ${query}::tsquery`;
  const path = sql`'.' || lower(concat_ws('.', e.schema_name, e.table_name, case e.kind when 'Column' then e.name end))`;
  const isQualified = typed.includes(".")
    ? sql`or (e.source_id is not null and right(${path}, ${[...typed].length + 1}) = ${`.${typed}`})`
    : sql``;
  return sql`case
    when ${fits(same)} ${isQualified} then 0
    when ${fits(begins)} then 1
    when ${fits(whole)} then 2
    when ${fits(begun)} then 3
    when ${fits(near)} then 4
    when e.source_id is not null and e.description is null and not ${fits(any)} then null
    when (e.names || array_to_tsvector(${wordsOf(sql.raw("concat_ws(' ', e.schema_name, e.table_name)"))})) @@ ${near}::tsquery
      then case when e.source_id is null or ${fits(any)} then 5 end
    else 6 end`;
}

const project = sql`coalesce(e.project_id, ${dataSources.projectId})`;

/** Queries, contracts, and actors have a project; tables and columns belong to their data source's. */
function visible({ projectIds }: Principal, projectId: number | undefined): SQL {
  const may =
    projectIds === null ? sql`true` : sql`${project} = any(${`{${projectIds.join(",")}}`}::integer[])`;
  return projectId === undefined ? may : sql`${may} and ${project} = ${projectId}`;
}

type Known = { isVisible: SQL; hasTrigrams: boolean };

/**
 * Similar words for the typed ones, from all names the caller may see. Candidates contain the word or share enough
 * trigrams with it.
 */
async function lookUp(words: readonly string[], { isVisible, hasTrigrams }: Known): Promise<SimilarWords> {
  if (words.length === 0) return new Map();
  const isCandidate = (word: SQL) =>
    hasTrigrams
      ? sql`(${word} like '%' || typed || '%' or ${word} % typed)`
      : sql`${word} like '%' || typed || '%'`;
  const mayHold = hasTrigrams
    ? sql`(e.name ilike '%' || typed || '%' or e.name %> typed)`
    : sql`e.name ilike '%' || typed || '%'`;
  const best = hasTrigrams ? sql`similarity(word, typed) desc` : sql`length(word)`;
  const rows = await db.transaction(async (tx) => {
    if (hasTrigrams)
      await tx.execute(sql`
        select set_config('pg_trgm.similarity_threshold', '0.2', true),
          set_config('pg_trgm.word_similarity_threshold', '0.3', true)`);
    return tx.execute<{ typed: string; words: string[] }>(sql`
      select typed, array(
        select word from (
          select e.word from (select word, data_source_id as source_id, null::integer as project_id from ${catalogWords}) as e
            left join ${dataSources} on ${dataSources.id} = e.source_id
          where ${isCandidate(sql.raw("e.word"))} and ${isVisible}
          union
          select word from ${catalogEntries} as e
            left join ${dataSources} on ${dataSources.id} = e.source_id,
            unnest(tsvector_to_array(e.names)) as word
          where e.object_id is not null and ${mayHold} and ${isVisible} and word !~ '^='
            and ${isCandidate(sql.raw("word"))}
        ) as candidates
        order by ${best}, word limit 200
      ) as words
      from unnest(${textArray(words)}) as typed`);
  });
  return new Map(rows.map(({ typed, words }) => [typed, similarWordsOf(typed, words)]));
}

let hasExtension = false;

/** Whether pg_trgm is installed in the search path. Checked again until it is. */
async function mayUseTrigrams(): Promise<boolean> {
  if (hasExtension) return true;
  const [found] = await db.execute<{ has: boolean }>(
    sql`select to_regprocedure('word_similarity(text, text)') is not null as has`,
  );
  hasExtension = found?.has ?? false;
  return hasExtension;
}
