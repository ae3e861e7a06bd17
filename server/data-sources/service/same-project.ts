import { eq } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { isOneOf } from "../../db/gathered.ts";
import { dataSources } from "../tables.ts";

type Reader = Pick<Transaction, "select">;

const projectIdOf = (tx: Reader, dataSourceId: number) =>
  tx.select({ projectId: dataSources.projectId }).from(dataSources).where(eq(dataSources.id, dataSourceId));

/** A data source's project; undefined if there is no such data source. */
export async function projectOf(tx: Reader, dataSourceId: number): Promise<number | undefined> {
  const [source] = await projectIdOf(tx, dataSourceId);
  return source?.projectId;
}

/** The projects of data sources, by their ids. */
export async function projectsOf(
  tx: Reader,
  dataSourceIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const found = await tx
    .select({ id: dataSources.id, projectId: dataSources.projectId })
    .from(dataSources)
    .where(isOneOf(dataSources.id, dataSourceIds));
  return new Map(found.map(({ id, projectId }) => [id, projectId]));
}

/** The IDs of all data sources of a data source's project, itself among them, as a subquery. */
export const sourcesBeside = (tx: Reader, dataSourceId: number) =>
  tx
    .select({ id: dataSources.id })
    .from(dataSources)
    .where(eq(dataSources.projectId, projectIdOf(tx, dataSourceId)));
