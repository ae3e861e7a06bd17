import { and, eq, inArray, sql } from "drizzle-orm";
import type { BigQueryConnection } from "../../data-sources/connections/bigquery.ts";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { dialectOf } from "../../data-sources/dialects/dialects.ts";
import { isBigQuery, isFiles, isRest } from "../../data-sources/kinds.ts";
import { findKnownSchema } from "../../data-sources/service/known-tables.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { dataSourceSchemas, dataSources } from "../../data-sources/tables.ts";
import { db, type Transaction } from "../../db/client.ts";
import { problemIn } from "../../errors.ts";
import { namesTable } from "../../queries/named-in-sql.ts";
import { queries, querySteps, queryVersions } from "../../queries/tables.ts";
import { type KnownTable, type Names, type ReadTable, tableNamed, tablesRead } from "../edges-of.ts";
import { namesAfterFrom, readableSql } from "../readable-sql.ts";
import type { ReadOutcome } from "../statement.ts";
import { lineageEdges, lineageSources, lineageStatements } from "../tables.ts";
import { readApart } from "./read-apart.ts";
import { hashOf, loadQuerySql, namesIn, readViews, type Statement, tablesIn } from "./statements-of.ts";
import { type Edge, storeEdges } from "./store-edges.ts";

/** A parser's time for longer SQL is better spent on everything else. */
const maxSqlLength = 100_000;
const maxUnknown = 5;

type Source = { id: number; projectId: number; dialect: Dialect; names: Names; schema: DatabaseSchema };

/**
 * Brings what is known by the SQL of a data source up to date: of its views, of queries that run on it, and its foreign keys.
 * Only SQL that changed, or whose tables did, is parsed. Views that cannot be read now stay as they were, with the reason.
 * Returns how many statements were parsed.
 */
export async function refreshLineage(dataSourceId: number, { readsViews = true } = {}): Promise<number> {
  const source = await loadSource(dataSourceId);
  if (!source) return 0;
  const { views, problem } = readsViews ? await findViews(source) : { views: null, problem: null };
  const statements = [...(views ?? []), ...(await loadQuerySql(dataSourceId))];
  const known = await db
    .select()
    .from(lineageStatements)
    .where(eq(lineageStatements.dataSourceId, dataSourceId));
  const hashes = new Map(known.map(({ key, hash }) => [key, hash]));
  const prepared = statements.map((statement) => {
    const tables = statement.sql === null ? [] : tablesIn(source.names, statement.sql, source.dialect);
    return { statement, tables, hash: hashOf(statement, tables) };
  });
  const changed = prepared.filter(({ statement, hash }) => hashes.get(statement.key) !== hash);
  const outcomes = await readAll(source, changed);
  const present = new Set(statements.map(({ key }) => key));
  const isMissing = ({ key, queryId }: (typeof known)[number]) =>
    !present.has(key) && (queryId !== null || views !== null);
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended('lineage ' || ${dataSourceId}::text, 0))`,
    );
    await forget(
      tx,
      source,
      known.filter(isMissing).map(({ key }) => key),
    );
    for (const [place, { statement, hash, tables }] of changed.entries()) {
      const outcome = outcomes[place];
      if (outcome) await store(tx, source, { statement, hash, tables, outcome });
    }
    await touch(
      tx,
      source,
      prepared.filter((each) => !changed.includes(each)).map((each) => each.statement),
    );
    await storeEdges(
      tx,
      { projectId: source.projectId, via: "ForeignKey", origin: String(dataSourceId) },
      foreignKeys(source),
    );
    const read = { ...(views && { readAt: sql`now()` }), ...(readsViews && { problem }) };
    await tx
      .insert(lineageSources)
      .values({ dataSourceId, ...read })
      .onConflictDoUpdate({
        target: lineageSources.dataSourceId,
        set: Object.keys(read).length > 0 ? read : { dataSourceId },
      });
  });
  return outcomes.filter((outcome) => outcome !== undefined).length;
}

/** null for what is gone, has no SQL, or was never read. */
async function loadSource(dataSourceId: number): Promise<Source | null> {
  const [row] = await db.select().from(dataSources).where(eq(dataSources.id, dataSourceId));
  const dialect = row ? dialectOf(row.kind) : null;
  const schema = row ? await findKnownSchema(db, dataSourceId) : null;
  if (!row || dialect === null || schema === null || isRest(row.connection)) return null;
  const names = namesIn(schema, {
    // A folder of files has no name that its SQL could say.
    database: isFiles(row.connection) ? "" : databaseOf(row.connection, dialect),
    defaultSchema: dialect.defaultSchema(row.connection),
  });
  return { id: row.id, projectId: row.projectId, dialect, names, schema };
}

/** In BigQuery, a table's name can begin with its project. */
const databaseOf = (connection: { database: string } | BigQueryConnection, { connection: facts }: Dialect) =>
  isBigQuery(connection)
    ? (connection.dataProject ?? connection.billingProject)
    : (facts?.databaseNamed(connection.database) ?? connection.database);

async function findViews({
  id,
  names,
}: Source): Promise<{ views: Statement[] | null; problem: string | null }> {
  try {
    return { views: await readViews(id, names), problem: null };
  } catch (error) {
    const problem = problemIn(asProblem(error));
    if (problem === null) throw error;
    return { views: null, problem: problem.message };
  }
}

type Prepared = { statement: Statement; tables: readonly KnownTable[]; hash: string };

/** In the order of the statements; undefined for what there was no time for. */
async function readAll({ dialect, names }: Source, changed: readonly Prepared[]) {
  const hopeless = ({ sql: text }: Statement): ReadOutcome | null => {
    if (text === null) return { problem: "The login may not see how it is defined" };
    return text.length > maxSqlLength ? { problem: "Its SQL is too long to be read" } : null;
  };
  const toParse = changed.filter(({ statement }) => hopeless(statement) === null);
  const parsed = await readApart(
    toParse.map(({ statement, tables }) => ({
      sql: readableSql(statement.sql ?? "", dialect),
      dialect: dialect.name,
      tables: tables.map((table) => ({
        ...table,
        isDefault: tableNamed(names, { catalog: null, schema: null, table: table.tableName }) === table,
      })),
    })),
  );
  return changed.map((each) => hopeless(each.statement) ?? parsed[toParse.indexOf(each)]);
}

async function store(
  tx: Transaction,
  source: Source,
  { statement, hash, tables, outcome }: Prepared & { outcome: ReadOutcome },
): Promise<void> {
  const { key, query, view, target } = statement;
  const { read, problem } = whatItReads(source, statement, tables, outcome);
  const tableIn = ({ schemaName, tableName }: KnownTable) => ({
    ...{ dataSourceId: source.id, schemaName, tableName },
  });
  const to = query ? { queryId: query.id } : view ? tableIn(view) : null;
  const edges: Edge[] = to
    ? read.map(({ table, columns, isCertain }) => ({ from: tableIn(table), to, columns, isCertain }))
    : [];
  if (view && target)
    edges.push({
      ...{ from: tableIn(view), to: tableIn(target), isCertain: true },
      columns: target.columns
        .filter((name) => view.columns.includes(name))
        .map((name) => ({ from: name, to: name })),
    });
  await storeEdges(tx, { projectId: source.projectId, ...originOf(source.id, statement) }, edges);
  const values = { hash, problem, versionId: query?.versionId ?? null };
  await tx
    .insert(lineageStatements)
    .values({ dataSourceId: source.id, key, queryId: query?.id ?? null, ...values })
    .onConflictDoUpdate({
      target: [lineageStatements.dataSourceId, lineageStatements.key],
      set: { ...values, readAt: sql`now()` },
    });
}

/**
 * What the parser says, and the names after FROM and JOIN that it did not see. Without the parser, every known table that the
 * SQL names.
 */
function whatItReads(
  { names, dialect }: Source,
  { sql: text, view }: Statement,
  tables: readonly KnownTable[],
  outcome: ReadOutcome,
): { read: ReadTable[]; problem: string | null } {
  const uncertain = (table: KnownTable): ReadTable => ({ table, columns: [], isCertain: false });
  if ("problem" in outcome) {
    const named = tables.filter((table) => text !== null && namesTable(text, dialect, table));
    return { read: named.map(uncertain), problem: outcome.problem };
  }
  const { read, unknown } = tablesRead(names, outcome.read, view?.columns ?? null);
  const own = new Set(outcome.read.expressions.map((name) => name.toLowerCase()));
  const seen = new Set(read.map(({ table }) => table));
  for (const parts of namesAfterFrom(text ?? "", dialect)) {
    const [table = "", schema = null, catalog = null] = parts.toReversed();
    if (schema === null && own.has(table)) continue;
    const found = tableNamed(names, { catalog, schema, table });
    if (!found || seen.has(found)) continue;
    seen.add(found);
    read.push(uncertain(found));
  }
  const more = unknown.length > maxUnknown ? ` and ${unknown.length - maxUnknown} more` : "";
  return {
    read,
    problem:
      unknown.length === 0
        ? null
        : `It reads ${unknown.slice(0, maxUnknown).join(", ")}${more}, not found in the schema that was last read`,
  };
}

const originOf = (dataSourceId: number, { key, query }: Pick<Statement, "key" | "query">) => ({
  via: query ? ("Query" as const) : ("View" as const),
  origin: `${dataSourceId} ${key}`,
});

/** Rows of the one table refer to the other's. */
function foreignKeys({ id, schema }: Source): Edge[] {
  const edges = new Map<string, Edge & { columns: { from: string; to: string }[] }>();
  for (const { schemaName, tables } of schema.items)
    for (const { tableName, columns } of tables)
      for (const { name, references } of columns) {
        if (!references) continue;
        const { columnName, ...from } = references;
        const key = JSON.stringify([from.schemaName, from.tableName, schemaName, tableName]);
        const edge = edges.get(key) ?? {
          ...{ from: { dataSourceId: id, ...from }, to: { dataSourceId: id, schemaName, tableName } },
          ...{ columns: [], isCertain: true },
        };
        edge.columns.push({ from: columnName, to: name });
        edges.set(key, edge);
      }
  return [...edges.values()];
}

/** Removes what views and queries that are gone said. */
async function forget(tx: Transaction, { id, projectId }: Source, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .delete(lineageStatements)
    .where(and(eq(lineageStatements.dataSourceId, id), inArray(lineageStatements.key, [...keys])));
  await tx.delete(lineageEdges).where(
    and(
      eq(lineageEdges.projectId, projectId),
      inArray(lineageEdges.via, ["View", "Query"]),
      inArray(
        lineageEdges.origin,
        keys.map((key) => `${id} ${key}`),
      ),
    ),
  );
}

/** What is as it was was seen again. */
async function touch(
  tx: Transaction,
  { id, projectId }: Source,
  statements: readonly Statement[],
): Promise<void> {
  if (statements.length === 0) return;
  const origins = statements.map(({ key }) => `${id} ${key}`);
  await tx
    .update(lineageEdges)
    .set({ lastSeenAt: sql`now()` })
    .where(
      and(
        eq(lineageEdges.projectId, projectId),
        inArray(lineageEdges.via, ["View", "Query"]),
        sql`${lineageEdges.origin} = any(${sql.param(origins)}::text[])`,
      ),
    );
}

/** Data sources whose queries changed since their SQL was read: a new active version, a new query, or one that is archived. */
export async function sourcesWithChangedQueries(): Promise<number[]> {
  const rows = await db.execute<{ id: number }>(sql`
    select distinct coalesce(active.data_source_id, read.data_source_id) as id
    from (
      select step.data_source_id, version.id as version_id, 'query:' || query.id || ':' || step.order as key
      from ${querySteps} as step
      join ${queryVersions} as version on version.id = step.version_id and version.status = 'Active'
      join ${queries} as query on query.id = version.query_id and query.archived_at is null
      join ${dataSourceSchemas} as schema on schema.data_source_id = step.data_source_id
      where step.sql is not null
    ) as active
    full join (select * from ${lineageStatements} where query_id is not null) as read
      on read.data_source_id = active.data_source_id and read.key = active.key
    where read.version_id is distinct from active.version_id
    order by id`);
  return rows.map(({ id }) => id);
}
