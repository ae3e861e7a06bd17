import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { isOneOf } from "../../db/gathered.ts";
import { orderBy, type Sorts } from "../../db/listed.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { Problem } from "../../errors.ts";
import type { listQueriesInput, Query, QuerySort, Step } from "../schema.ts";
import { parametersOf } from "../step-parameters.ts";
import { queries, querySteps, queryVersions } from "../tables.ts";
import { folderPaths, foldersBelow } from "./folders.ts";
import { countSubscriptions } from "./subscriptions-of-queries.ts";

export type StoredQuery = typeof queries.$inferSelect;
/** As services return it; the API converts times to text. */
export type LoadedQuery = Omit<Query, "createdAt" | "updatedAt"> & { createdAt: Date; updatedAt: Date };

type List = Partial<Omit<z.output<typeof listQueriesInput>, keyof Paging>> & Paging;

const sorts: Sorts<QuerySort> = {
  Name: { by: [queries.name], natural: "Asc" },
  Changed: { by: [queries.updatedAt], natural: "Desc" },
};

export const queryNotFound = () => new Problem("not_found", "Query not found");

/** The query by id, unless it is archived. */
const isQuery = (id: number) => and(eq(queries.id, id), isNull(queries.archivedAt));

/** A page of the queries visible to the caller, by name. */
export async function listQueries(ctx: SignedIn, { projectId, folderId, search, ...list }: List) {
  const folderIds = folderId === undefined ? null : await foldersBelow(ctx, folderId);
  const which = and(
    isNull(queries.archivedAt),
    inVisibleProject(ctx.principal, queries.projectId),
    projectId === undefined ? undefined : eq(queries.projectId, projectId),
    folderIds === null ? undefined : inArray(queries.folderId, folderIds),
    // Not LIKE: the search text is literal.
    search ? sql`strpos(lower(${queries.name}), lower(${search})) > 0` : undefined,
  );
  return paged(
    list,
    () => db.$count(queries, which),
    async ({ limit, offset }) =>
      loaded(
        await db
          .select()
          .from(queries)
          .where(which)
          .orderBy(...orderBy(sorts, { sortBy: "Name", ...list }, [queries.id]))
          .limit(limit)
          .offset(offset),
      ),
  );
}

/** Throws not_found if the query does not exist, is archived, or the caller cannot access its project. */
export async function getQuery(ctx: SignedIn, id: number): Promise<LoadedQuery> {
  const [query] = await loaded([await getStoredQuery(ctx, id)]);
  if (!query) throw queryNotFound();
  return query;
}

/** The query's row only. Throws like `getQuery`. */
export async function getStoredQuery({ principal }: SignedIn, id: number): Promise<StoredQuery> {
  const [query] = await db.select().from(queries).where(isQuery(id));
  if (!query || !maySeeProject(principal, query.projectId)) throw queryNotFound();
  return query;
}

/** The same, locked until the transaction ends: changes to a query run one at a time. */
export async function lockQuery(tx: Transaction, { principal }: SignedIn, id: number): Promise<StoredQuery> {
  const [query] = await tx.select().from(queries).where(isQuery(id)).for("update");
  if (!query || !maySeeProject(principal, query.projectId)) throw queryNotFound();
  return query;
}

/** Steps by version, in order. */
export async function loadSteps(
  connection: Connection,
  versionIds: readonly number[],
): Promise<Map<number, Step[]>> {
  if (versionIds.length === 0) return new Map();
  const rows = await connection
    .select()
    .from(querySteps)
    .where(isOneOf(querySteps.versionId, versionIds))
    .orderBy(asc(querySteps.order));
  const groups = Map.groupBy(rows, ({ versionId }) => versionId);
  return new Map([...groups].map(([versionId, own]) => [versionId, own.map(stepOf)]));
}

const stepOf = ({ order, name, dataSourceId, sql, request }: typeof querySteps.$inferSelect): Step => ({
  order,
  name,
  dataSourceId,
  ...(sql !== null && { sql }),
  ...(request !== null && { request }),
});

/** The active and pending versions of queries; at most one of each. */
async function loadCurrentVersions(queryIds: readonly number[]) {
  const isCurrent: SQL = inArray(queryVersions.status, ["Active", "PendingApproval"]);
  const rows = await db
    .select()
    .from(queryVersions)
    .where(and(inArray(queryVersions.queryId, [...queryIds]), isCurrent));
  return Map.groupBy(rows, ({ queryId }) => queryId);
}

/** Queries as they are shown, loaded with a fixed number of statements. */
async function loaded(rows: readonly StoredQuery[]): Promise<LoadedQuery[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [versionsOf, paths, countOf] = await Promise.all([
    loadCurrentVersions(ids),
    folderPaths(rows.map(({ projectId }) => projectId)),
    countSubscriptions(ids),
  ]);
  const activeOf = (id: number) => versionsOf.get(id)?.find(({ status }) => status === "Active");
  const stepsOf = await loadSteps(
    db,
    ids.flatMap((id) => activeOf(id)?.id ?? []),
  );
  return rows.map(({ createdById: _, archivedAt: __, unreviewedVersion: ___, ...query }) => {
    const active = activeOf(query.id);
    if (!active) throw new Error(`Query ${query.id} has no active version`);
    const pending = versionsOf.get(query.id)?.find(({ status }) => status === "PendingApproval");
    const steps = stepsOf.get(active.id) ?? [];
    return {
      ...query,
      folderPath: query.folderId === null ? null : (paths.get(query.folderId) ?? null),
      steps,
      parameters: parametersOf(steps),
      activeVersion: active.number,
      pendingVersion: pending?.number ?? null,
      subscriptionCount: countOf.get(query.id) ?? 0,
    };
  });
}
