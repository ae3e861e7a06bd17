import { inArray, type SQL, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import type { ColumnPair, Direction, LineageVia } from "../schema.ts";
import { lineageEdges } from "../tables.ts";

export type TableNode = { dataSourceId: number; schemaName: string; tableName: string };
export type QueryNode = { queryId: number };
export type WalkedNode = (TableNode | QueryNode) & { key: string; step: number; hasMore: boolean };
export type WalkedEdge = {
  from: string;
  to: string;
  via: LineageVia;
  origin: string;
  isCertain: boolean;
  columns: ColumnPair[];
  since: Date;
  lastSeenAt: Date;
};

/** More cannot be looked at in one picture or list. */
const maxNodes = 200;
const maxEdgesOfStep = 5_000;

export const tableKeyOf = ({ dataSourceId, schemaName, tableName }: TableNode): string =>
  JSON.stringify([dataSourceId, schemaName, tableName]);
export const queryKeyOf = (queryId: number): string => JSON.stringify([queryId]);

export type Walk = {
  start: TableNode;
  columnName?: string | undefined;
  direction: Direction;
  depth: number;
  foreignKeys: boolean;
};

/**
 * What a table is made from, and what is made from it, so many steps far: the nearest 200, each at the step where it is first
 * met, so that circles end. With a column, only what that column goes into or comes from. The caller checks access: all that is
 * found belongs to the table's project.
 */
export async function walkLineage(
  walk: Walk,
): Promise<{ nodes: WalkedNode[]; edges: WalkedEdge[]; omitted: number }> {
  const startKey = tableKeyOf(walk.start);
  const nodes = new Map<string, WalkedNode>([
    [startKey, { ...walk.start, key: startKey, step: 0, hasMore: false }],
  ]);
  const edges = new Map<string, WalkedEdge>();
  const omitted = new Set<string>();
  for (const way of ["Upstream", "Downstream"] as const) {
    if (walk.direction !== "Both" && walk.direction !== way) continue;
    let front: Front = new Map([[startKey, { node: walk.start, columns: columnsAtStart(walk) }]]);
    for (let step = 1; step <= walk.depth + 1 && front.size > 0; step++) {
      const rows = await edgesFrom(
        way,
        [...front.values()].map(({ node }) => node),
        walk.foreignKeys,
      );
      const next: Front = new Map();
      for (const row of rows) {
        const [here, there] = way === "Upstream" ? [toOf(row), fromOf(row)] : [fromOf(row), toOf(row)];
        const reached = reachedColumns(way, front.get(here.key)?.columns ?? null, row.columns);
        if (reached?.size === 0) continue;
        if (step > walk.depth) {
          // One step further is only looked at to say that there is more.
          const shown = nodes.get(here.key);
          if (shown && !nodes.has(there.key)) shown.hasMore = true;
          continue;
        }
        if (!nodes.has(there.key)) {
          if (nodes.size >= maxNodes) {
            omitted.add(there.key);
            continue;
          }
          nodes.set(there.key, { ...there, step: way === "Upstream" ? -step : step, hasMore: false });
        }
        edges.set(`${row.id}`, {
          ...{ from: fromOf(row).key, to: toOf(row).key, via: row.via, origin: row.origin },
          ...{ isCertain: row.isCertain, columns: row.columns, since: row.since, lastSeenAt: row.lastSeenAt },
        });
        const isAhead = nodes.get(there.key)?.step === (way === "Upstream" ? -step : step);
        if (isAhead && "tableName" in there) addTo(next, there, reached);
      }
      front = next;
    }
  }
  return { nodes: [...nodes.values()], edges: merged([...edges.values()]), omitted: omitted.size };
}

/** Tables to go on from, with the columns that are followed; null: all. */
type Front = Map<string, { node: TableNode; columns: Set<string> | null }>;

const columnsAtStart = ({ columnName }: Walk) => (columnName === undefined ? null : new Set([columnName]));

/** The columns at the other end; null if all are followed. A column that only decides about rows goes into none. */
function reachedColumns(
  way: "Upstream" | "Downstream",
  followed: ReadonlySet<string> | null,
  columns: readonly ColumnPair[],
): Set<string> | null {
  if (followed === null) return null;
  const reached = new Set<string>();
  for (const { from, to } of columns) {
    if (to === null) continue;
    const [here, there] = way === "Upstream" ? [to, from] : [from, to];
    if (followed.has(here)) reached.add(there);
  }
  return reached;
}

function addTo(front: Front, node: TableNode, columns: Set<string> | null): void {
  const key = tableKeyOf(node);
  const found = front.get(key);
  if (!found) front.set(key, { node, columns });
  else if (found.columns && columns) for (const each of columns) found.columns.add(each);
}

type Row = typeof lineageEdges.$inferSelect;
type Ends = Pick<
  Row,
  | "fromDataSourceId"
  | "fromSchemaName"
  | "fromTableName"
  | "toQueryId"
  | "toDataSourceId"
  | "toSchemaName"
  | "toTableName"
>;

const fromOf = (row: Ends) => {
  const table = {
    dataSourceId: row.fromDataSourceId,
    schemaName: row.fromSchemaName,
    tableName: row.fromTableName,
  };
  return { ...table, key: tableKeyOf(table) };
};
const toOf = (row: Ends) => {
  if (row.toQueryId !== null) return { queryId: row.toQueryId, key: queryKeyOf(row.toQueryId) };
  const table = {
    dataSourceId: row.toDataSourceId ?? 0,
    schemaName: row.toSchemaName ?? "",
    tableName: row.toTableName ?? "",
  };
  return { ...table, key: tableKeyOf(table) };
};

/** The edges that lead to (upstream) or away from (downstream) some tables. */
async function edgesFrom(
  way: "Upstream" | "Downstream",
  tables: readonly TableNode[],
  foreignKeys: boolean,
): Promise<Row[]> {
  const [source, schema, name] =
    way === "Upstream"
      ? [lineageEdges.toDataSourceId, lineageEdges.toSchemaName, lineageEdges.toTableName]
      : [lineageEdges.fromDataSourceId, lineageEdges.fromSchemaName, lineageEdges.fromTableName];
  const wanted: SQL = sql`(${source}, ${schema}, ${name}) in (
    select * from json_to_recordset(${JSON.stringify(tables)}::json)
      as wanted("dataSourceId" integer, "schemaName" text, "tableName" text))`;
  return db
    .select()
    .from(lineageEdges)
    .where(foreignKeys ? wanted : sql`${wanted} and ${lineageEdges.via} <> 'ForeignKey'`)
    .orderBy(lineageEdges.via, lineageEdges.id)
    .limit(maxEdgesOfStep);
}

/** The steps of one query are one edge. */
function merged(edges: readonly WalkedEdge[]): WalkedEdge[] {
  const found = new Map<string, WalkedEdge>();
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.to, edge.via, edge.via === "Query" ? "" : edge.origin]);
    const other = found.get(key);
    if (!other) found.set(key, edge);
    else {
      const pairs = [...other.columns, ...edge.columns].map((pair) => [JSON.stringify(pair), pair] as const);
      found.set(key, {
        ...other,
        columns: [...new Map(pairs).values()],
        isCertain: other.isCertain && edge.isCertain,
        since: new Date(Math.min(other.since.getTime(), edge.since.getTime())),
        lastSeenAt: new Date(Math.max(other.lastSeenAt.getTime(), edge.lastSeenAt.getTime())),
      });
    }
  }
  return [...found.values()];
}

/** How near tables of one family are looked for. */
const familySteps = 3;

/**
 * The keys of tables that some tables are made from (upstream), or that are made from them (downstream), so many steps far, by
 * anything but foreign keys.
 */
export async function relatedTables(
  tables: readonly TableNode[],
  direction: "Upstream" | "Downstream",
  depth = familySteps,
): Promise<Set<string>> {
  return new Set((await relatives(tables, direction, depth)).keys());
}

async function relatives(
  tables: readonly TableNode[],
  direction: "Upstream" | "Downstream",
  depth: number,
  edges: FindEdges = (way, front) => edgesFrom(way, front, false),
): Promise<Map<string, TableNode>> {
  const found = new Map<string, TableNode>();
  const own = new Set(tables.map(tableKeyOf));
  let front = [...tables];
  for (let step = 1; step <= depth && front.length > 0 && found.size < maxNodes; step++) {
    const next = new Map<string, TableNode>();
    for (const row of await edges(direction, front)) {
      const { key, ...there } = direction === "Upstream" ? fromOf(row) : toOf(row);
      if ("tableName" in there && !own.has(key) && !found.has(key)) next.set(key, there);
    }
    for (const [key, table] of next) found.set(key, table);
    front = [...next.values()];
  }
  return found;
}

/** What lineage says about some tables, by keys. */
export type Family = {
  /** Tables that they are made from, or that are made from them. */
  line: ReadonlySet<string>;
  /** Tables that are made from something that they are made from, too. */
  siblings: ReadonlySet<string>;
  /** Whether anything is known of them. */
  isKnown: boolean;
};

/** Edges but foreign keys that lead to or away from some tables. */
type FindEdges = (way: "Upstream" | "Downstream", tables: readonly TableNode[]) => Promise<Ends[]>;

/** `edges` are those that `loadEdges` has read, for whoever asks about many tables. */
export async function familyOf(tables: readonly TableNode[], edges?: FindEdges): Promise<Family> {
  if (tables.length === 0) return { line: new Set(), siblings: new Set(), isKnown: false };
  const [above, below] = await Promise.all([
    relatives(tables, "Upstream", familySteps, edges),
    relatives(tables, "Downstream", familySteps, edges),
  ]);
  const siblings = await relatives([...above.values()], "Downstream", familySteps, edges);
  return {
    line: new Set([...above.keys(), ...below.keys()]),
    siblings: new Set(siblings.keys()),
    isKnown: above.size > 0 || below.size > 0,
  };
}

/** All edges between tables of some projects, but foreign keys, read at once. */
export async function loadEdges(projectIds: readonly number[]): Promise<FindEdges> {
  const rows: Ends[] = await db
    .select({
      fromDataSourceId: lineageEdges.fromDataSourceId,
      fromSchemaName: lineageEdges.fromSchemaName,
      fromTableName: lineageEdges.fromTableName,
      toQueryId: lineageEdges.toQueryId,
      toDataSourceId: lineageEdges.toDataSourceId,
      toSchemaName: lineageEdges.toSchemaName,
      toTableName: lineageEdges.toTableName,
    })
    .from(lineageEdges)
    .where(
      sql`${inArray(lineageEdges.projectId, [...projectIds])} and ${lineageEdges.via} <> 'ForeignKey'
        and ${lineageEdges.toQueryId} is null`,
    )
    .orderBy(lineageEdges.via, lineageEdges.id);
  const [to, from] = [toOf, fromOf].map((end) => Map.groupBy(rows, (row) => end(row).key));
  return async (way, tables) =>
    tables.flatMap((table) => (way === "Upstream" ? to : from)?.get(tableKeyOf(table)) ?? []);
}

/** Which of some tables are made from others, or have others made from them: their keys. */
export async function withLineage(tables: readonly TableNode[]): Promise<Set<string>> {
  if (tables.length === 0) return new Set();
  const rows = await db.execute<TableNode>(sql`
    select wanted.* from json_to_recordset(${JSON.stringify(tables)}::json)
      as wanted("dataSourceId" integer, "schemaName" text, "tableName" text)
    where exists (
      select from ${lineageEdges} as edge where edge.via <> 'ForeignKey' and edge.to_data_source_id = wanted."dataSourceId"
        and edge.to_schema_name = wanted."schemaName" and edge.to_table_name = wanted."tableName"
    ) or exists (
      select from ${lineageEdges} as edge where edge.via <> 'ForeignKey' and edge.to_query_id is null
        and edge.from_data_source_id = wanted."dataSourceId" and edge.from_schema_name = wanted."schemaName"
        and edge.from_table_name = wanted."tableName"
    )`);
  return new Set([...rows].map(tableKeyOf));
}

/** The one of some tables that all others are made from; null if there is none, or if they are many. */
export async function commonOrigin<Table extends TableNode>(tables: readonly Table[]): Promise<Table | null> {
  if (tables.length < 2 || tables.length > 10) return null;
  for (const table of tables) {
    const below = await relatedTables([table], "Downstream");
    if (tables.every((other) => other === table || below.has(tableKeyOf(other)))) return table;
  }
  return null;
}
