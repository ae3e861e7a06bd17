import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import type { Connection } from "../../db/client.ts";
import { querySteps, queryVersions } from "../tables.ts";

/** The data source that each query's active version reads first; queries without any are left out. */
export async function findFirstSources(
  connection: Connection,
  queryIds: readonly number[],
): Promise<Map<number, number>> {
  if (queryIds.length === 0) return new Map();
  const rows = await connection
    .selectDistinctOn([queryVersions.queryId], {
      queryId: queryVersions.queryId,
      dataSourceId: querySteps.dataSourceId,
    })
    .from(queryVersions)
    .innerJoin(querySteps, eq(querySteps.versionId, queryVersions.id))
    .where(
      and(
        inArray(queryVersions.queryId, [...queryIds]),
        eq(queryVersions.status, "Active"),
        isNotNull(querySteps.dataSourceId),
      ),
    )
    .orderBy(asc(queryVersions.queryId), asc(querySteps.order));
  return new Map(
    rows.flatMap(({ queryId, dataSourceId }) => (dataSourceId === null ? [] : [[queryId, dataSourceId]])),
  );
}
