import { and, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { tableScores } from "../../data-quality/evaluations/tables.ts";
import { isDatabaseKind } from "../../data-sources/kinds.ts";
import { listKnownTables } from "../../data-sources/service/known-tables.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { incidentProblems, incidents } from "../../incidents/tables.ts";
import { projectIn } from "../../lineage/dbt-origin.ts";
import type { LineageInput } from "../../lineage/schema.ts";
import { viewKey } from "../../lineage/service/statements-of.ts";
import {
  type QueryNode,
  queryKeyOf,
  type TableNode,
  tableKeyOf,
  type WalkedNode,
  walkLineage,
} from "../../lineage/service/walk.ts";
import { lineageSources, lineageStatements } from "../../lineage/tables.ts";
import { queries } from "../../queries/tables.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { tableAlerts, watchedTables } from "../../watch/tables.ts";

type Table = WalkedNode & TableNode;
type Query = WalkedNode & QueryNode;
const isTable = (node: WalkedNode): node is Table => "tableName" in node;

/**
 * What a table is made from and what is made from it, each with its worst incident, score, and whether it is watched. Throws
 * not_found for a data source that the caller cannot access.
 */
export async function getLineage(ctx: SignedIn, input: LineageInput) {
  const { direction, depth, foreignKeys, columnName, ...start } = input;
  const source = await getDataSource(ctx, start.dataSourceId);
  if (!isDatabaseKind(source.kind)) throw new Problem("not_found", "Table not found");
  const walked = await walkLineage({ start, columnName, direction, depth, foreignKeys });
  const tables = walked.nodes.filter(isTable);
  const queryNodes = walked.nodes.filter((node): node is Query => !isTable(node));
  const [facts, about, asked] = await Promise.all([
    factsOf(tables, queryNodes),
    namesOf(tables, queryNodes),
    readingOf(start.dataSourceId),
  ]);
  const nodes = walked.nodes.flatMap((node) => {
    const common = { key: node.key, step: node.step, hasMore: node.hasMore };
    const incident = facts.incidents.get(node.key) ?? null;
    const problem = facts.problems.get(node.key) ?? null;
    if (isTable(node)) {
      const { dataSourceId, schemaName, tableName } = node;
      const path = `/catalog/${dataSourceId}/${[schemaName, tableName].map(encodeURIComponent).join("/")}`;
      return {
        ...common,
        ...{ kind: about.kinds.get(node.key) ?? null, name: `${schemaName}.${tableName}` },
        ...{ dataSourceId, dataSourceName: about.sources.get(dataSourceId) ?? "", schemaName, tableName },
        ...{ queryId: null, incident, problem, path },
        qualityScore: facts.scores.get(node.key) ?? null,
        isWatched: facts.watched.has(node.key),
        alertCount: facts.watched.get(node.key) ?? 0,
      };
    }
    const name = about.queries.get(node.queryId);
    if (name === undefined) return [];
    return {
      ...common,
      ...{ kind: "Query" as const, name, queryId: node.queryId },
      ...{ dataSourceId: null, dataSourceName: null, schemaName: null, tableName: null },
      ...{ incident, problem, qualityScore: null, isWatched: false, alertCount: 0 },
      path: `/queries/${node.queryId}`,
    };
  });
  const shown = new Set(nodes.map(({ key }) => key));
  return {
    nodes: nodes.sort((a, b) => a.step - b.step || a.name.localeCompare(b.name, "en")),
    edges: walked.edges.filter(({ from, to }) => shown.has(from) && shown.has(to)).map(toldEdge),
    omitted: walked.omitted,
    ...asked,
  };
}

type WalkedEdge = Awaited<ReturnType<typeof walkLineage>>["edges"][number];

/** Only what others report has a name of its own: otherwise it is the view, the query, or the foreign key itself. */
const toldEdge = ({ origin, ...edge }: WalkedEdge) => ({
  ...edge,
  origin: edge.via === "Load" ? origin : edge.via === "Dbt" ? projectIn(origin) : null,
});

async function readingOf(dataSourceId: number) {
  const [row] = await db.select().from(lineageSources).where(eq(lineageSources.dataSourceId, dataSourceId));
  return { readAt: row?.readAt ?? null, problem: row?.problem ?? null };
}

async function namesOf(tables: readonly Table[], queryNodes: readonly Query[]) {
  const sourceIds = [...new Set(tables.map(({ dataSourceId }) => dataSourceId))];
  const [known, sources, named] = await Promise.all([
    listKnownTables(sourceIds),
    db
      .select({ id: dataSources.id, name: dataSources.name })
      .from(dataSources)
      .where(inArray(dataSources.id, sourceIds)),
    queryNodes.length === 0
      ? []
      : db
          .select({ id: queries.id, name: queries.name })
          .from(queries)
          .where(
            and(
              inArray(
                queries.id,
                queryNodes.map(({ queryId }) => queryId),
              ),
              isNull(queries.archivedAt),
            ),
          ),
  ]);
  const wanted = new Set(tables.map(({ key }) => key));
  const kinds = new Map(
    [...known].flatMap(([dataSourceId, { tables: all }]) =>
      all.flatMap(({ schemaName, tableName, kind }) => {
        const key = tableKeyOf({ dataSourceId, schemaName, tableName });
        return wanted.has(key) ? [[key, kind] as const] : [];
      }),
    ),
  );
  return {
    kinds,
    sources: new Map(sources.map(({ id, name }) => [id, name])),
    queries: new Map(named.map(({ id, name }) => [id, name])),
  };
}

/** The nodes as a relation, to join with. */
const relationOf = (tables: readonly TableNode[]): SQL =>
  sql`json_to_recordset(${JSON.stringify(
    tables.map(({ dataSourceId, schemaName, tableName }) => ({ dataSourceId, schemaName, tableName })),
  )}::json) as node("dataSourceId" integer, "schemaName" text, "tableName" text)`;

async function factsOf(tables: readonly Table[], queryNodes: readonly Query[]) {
  const [scored, watched, ofTables, ofQueries, problems] = await Promise.all([
    db.execute<TableNode & { score: string }>(sql`
      select node.*, score.current_score as score from ${relationOf(tables)}
      join ${tableScores} as score on score.data_source_id = node."dataSourceId"
        and score.schema_name = node."schemaName" and score.table_name = node."tableName"`),
    db.execute<TableNode & { alerts: number }>(sql`
      select node.*, (select count(*)::int from ${tableAlerts} as alert
        where alert.table_id = watched.id and alert.ended_at is null and alert.expected_at is null) as alerts
      from ${relationOf(tables)}
      join ${watchedTables} as watched on watched.data_source_id = node."dataSourceId" and watched.gone_at is null
        and watched.schema_name = node."schemaName" and watched.table_name = node."tableName"`),
    currentIncidents(
      sql`jsonb_array_elements(${incidentProblems.tables}) as place
        join ${relationOf(tables)} on (place->>'dataSourceId')::int = node."dataSourceId"
          and place->>'schemaName' = node."schemaName" and place->>'tableName' = node."tableName"`,
      sql`json_build_array(node."dataSourceId", node."schemaName", node."tableName")`,
      tables.map(({ dataSourceId }) => dataSourceId),
    ),
    incidentsOfQueries(queryNodes),
    problemsOf(tables, queryNodes),
  ]);
  return {
    scores: new Map([...scored].map((row) => [tableKeyOf(row), Number(row.score)])),
    watched: new Map([...watched].map((row) => [tableKeyOf(row), row.alerts])),
    incidents: new Map([...ofTables, ...ofQueries]),
    problems,
  };
}

type ShownIncident = { id: number; severity: "Critical" | "High" | "Medium" | "Low"; title: string };

/** The worst incident of each table in its current problems; subscriptions that read several name all of them. */
async function currentIncidents(
  places: SQL,
  key: SQL,
  sourceIds: readonly number[],
): Promise<Map<string, ShownIncident>> {
  const rows = await db.execute<ShownIncident & { key: unknown[] }>(sql`
    select distinct on (${key}::text) ${key} as key, ${incidents.id}, ${incidents.severity}, ${incidents.title}
    from ${incidents}
    join ${incidentProblems} on ${incidentProblems.incidentId} = ${incidents.id} and ${incidentProblems.endedAt} is null
    cross join lateral ${places}
    where ${ne(incidents.state, "Resolved")}
      and ${incidentProblems.dataSourceIds} && ${sql.param([...new Set(sourceIds)])}::int[]
    order by ${key}::text, ${incidents.severity}, ${incidents.openedAt} desc`);
  return new Map([...rows].map(({ key: parts, ...incident }) => [JSON.stringify(parts), incident]));
}

async function incidentsOfQueries(queryNodes: readonly Query[]): Promise<Map<string, ShownIncident>> {
  if (queryNodes.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([subscriptions.queryId], {
      queryId: subscriptions.queryId,
      ...{ id: incidents.id, severity: incidents.severity, title: incidents.title },
    })
    .from(subscriptions)
    .innerJoin(incidentProblems, eq(incidentProblems.subscriptionId, subscriptions.id))
    .innerJoin(incidents, eq(incidents.id, incidentProblems.incidentId))
    .where(
      and(
        inArray(
          subscriptions.queryId,
          queryNodes.map(({ queryId }) => queryId),
        ),
        isNull(incidentProblems.endedAt),
        ne(incidents.state, "Resolved"),
      ),
    )
    .orderBy(subscriptions.queryId, incidents.severity);
  return new Map(rows.map(({ queryId, ...incident }) => [queryKeyOf(queryId), incident]));
}

/** What could not be read of the SQL of views and queries. */
async function problemsOf(
  tables: readonly Table[],
  queryNodes: readonly Query[],
): Promise<Map<string, string>> {
  const keys = new Map(tables.map((table) => [`${table.dataSourceId} ${viewKey(table)}`, table.key]));
  const ofViews = await db
    .select({
      dataSourceId: lineageStatements.dataSourceId,
      key: lineageStatements.key,
      problem: lineageStatements.problem,
    })
    .from(lineageStatements)
    .where(
      and(
        inArray(lineageStatements.dataSourceId, [...new Set(tables.map(({ dataSourceId }) => dataSourceId))]),
        inArray(lineageStatements.key, [...new Set(tables.map(viewKey))]),
        sql`${lineageStatements.problem} is not null`,
      ),
    );
  const ofQueries =
    queryNodes.length === 0
      ? []
      : await db
          .select({ queryId: lineageStatements.queryId, problem: lineageStatements.problem })
          .from(lineageStatements)
          .where(
            and(
              inArray(
                lineageStatements.queryId,
                queryNodes.map(({ queryId }) => queryId),
              ),
              sql`${lineageStatements.problem} is not null`,
            ),
          );
  return new Map([
    ...ofViews.flatMap(({ dataSourceId, key, problem }) => {
      const node = keys.get(`${dataSourceId} ${key}`);
      return node !== undefined && problem !== null ? [[node, problem] as const] : [];
    }),
    ...ofQueries.flatMap(({ queryId, problem }) =>
      queryId !== null && problem !== null ? [[queryKeyOf(queryId), problem] as const] : [],
    ),
  ]);
}
