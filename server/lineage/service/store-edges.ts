import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { db } from "../../db/client.ts";
import type { ColumnPair, LineageVia } from "../schema.ts";
import { lineageEdges } from "../tables.ts";

type Table = { dataSourceId: number; schemaName: string; tableName: string };
export type Edge = {
  from: Table;
  to: Table | { queryId: number };
  columns: readonly ColumnPair[];
  isCertain: boolean;
};

/** What others report stays for so long after they last did. */
const reportedDays = 30;
const batch = 500;

/**
 * Makes these the edges that one origin tells: those that it told before stay with their beginning, and the others go. With
 * `keeps`, what it does not tell this time stays, too.
 */
export async function storeEdges(
  tx: Transaction,
  { projectId, via, origin }: { projectId: number; via: LineageVia; origin: string },
  edges: readonly Edge[],
  { keeps = false }: { keeps?: boolean } = {},
): Promise<void> {
  const before = await tx
    .select()
    .from(lineageEdges)
    .where(
      and(eq(lineageEdges.projectId, projectId), eq(lineageEdges.via, via), eq(lineageEdges.origin, origin)),
    )
    .for("update");
  const wanted = new Map(edges.filter((edge) => !isCircle(edge)).map((edge) => [keyOf(edge), edge]));
  const stored = new Map(before.map((row) => [keyOf(edgeOf(row)), row]));
  const gone = before.filter((row) => !wanted.has(keyOf(edgeOf(row))));
  if (gone.length > 0 && !keeps)
    await tx.delete(lineageEdges).where(
      inArray(
        lineageEdges.id,
        gone.map(({ id }) => id),
      ),
    );
  const same: number[] = [];
  const fresh: Edge[] = [];
  for (const [key, edge] of wanted) {
    const row = stored.get(key);
    if (!row) fresh.push(edge);
    else if (isEqual(row, edge) || (keeps && edge.columns.length === 0)) same.push(row.id);
    else
      await tx
        .update(lineageEdges)
        .set({ columns: [...edge.columns], isCertain: edge.isCertain, lastSeenAt: sql`now()` })
        .where(eq(lineageEdges.id, row.id));
  }
  if (same.length > 0)
    await tx.update(lineageEdges).set({ lastSeenAt: sql`now()` }).where(inArray(lineageEdges.id, same));
  for (let at = 0; at < fresh.length; at += batch)
    await tx.insert(lineageEdges).values(
      fresh.slice(at, at + batch).map(({ from, to, columns, isCertain }) => ({
        ...{ projectId, via, origin, columns: [...columns], isCertain },
        fromDataSourceId: from.dataSourceId,
        fromSchemaName: from.schemaName,
        fromTableName: from.tableName,
        ...("queryId" in to
          ? { toQueryId: to.queryId }
          : { toDataSourceId: to.dataSourceId, toSchemaName: to.schemaName, toTableName: to.tableName }),
      })),
    );
}

type Row = typeof lineageEdges.$inferSelect;

const edgeOf = (row: Row): Pick<Edge, "from" | "to"> => ({
  from: {
    dataSourceId: row.fromDataSourceId,
    schemaName: row.fromSchemaName,
    tableName: row.fromTableName,
  },
  to:
    row.toQueryId !== null
      ? { queryId: row.toQueryId }
      : {
          dataSourceId: row.toDataSourceId ?? 0,
          schemaName: row.toSchemaName ?? "",
          tableName: row.toTableName ?? "",
        },
});

const keyOf = ({ from, to }: Pick<Edge, "from" | "to">) => JSON.stringify([nameOf(from), nameOf(to)]);
const nameOf = (of: Table | { queryId: number }) =>
  "queryId" in of ? [of.queryId] : [of.dataSourceId, of.schemaName, of.tableName];
const isCircle = ({ from, to }: Edge) => JSON.stringify(nameOf(from)) === JSON.stringify(nameOf(to));
/** The database keeps the properties of an object in an order of its own. */
const inOrder = (columns: readonly ColumnPair[]) => JSON.stringify(columns.map(({ from, to }) => [from, to]));
const isEqual = (row: Row, edge: Edge) =>
  row.isCertain === edge.isCertain && inOrder(row.columns) === inOrder(edge.columns);

/** Removes what nobody reports any longer. Returns how many edges. */
export async function removeOldEdges(): Promise<number> {
  const rows = await db
    .delete(lineageEdges)
    .where(
      and(
        eq(lineageEdges.via, "Load"),
        lt(lineageEdges.lastSeenAt, sql`now() - ${reportedDays} * interval '1 day'`),
      ),
    )
    .returning({ id: lineageEdges.id });
  return rows.length;
}
