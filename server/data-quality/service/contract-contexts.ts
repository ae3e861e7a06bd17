import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { contracts } from "../tables.ts";

/**
 * What the contracts of a data source say that one should know of their tables, as a function of the table. Several
 * contracts of one table are put together, the oldest first; null where none says anything.
 */
export async function loadContexts(
  dataSourceId: number,
): Promise<(table: { schemaName: string; tableName: string }) => string | null> {
  const rows = await db
    .select({
      schemaName: contracts.schemaName,
      tableName: contracts.tableName,
      context: contracts.context,
    })
    .from(contracts)
    .where(
      and(
        eq(contracts.dataSourceId, dataSourceId),
        isNull(contracts.archivedAt),
        isNotNull(contracts.context),
      ),
    )
    .orderBy(asc(contracts.id));
  const byTable = Map.groupBy(rows, ({ schemaName, tableName }) => JSON.stringify([schemaName, tableName]));
  return ({ schemaName, tableName }) =>
    byTable
      .get(JSON.stringify([schemaName, tableName]))
      ?.map(({ context }) => context)
      .join("\n\n") ?? null;
}
