import { inArray } from "drizzle-orm";
import type { Connection } from "../../db/client.ts";
import { contracts } from "../tables.ts";

/** The data source of each contract. */
export async function sourcesOfContracts(
  connection: Connection,
  contractIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await connection
    .select({ id: contracts.id, dataSourceId: contracts.dataSourceId })
    .from(contracts)
    .where(inArray(contracts.id, [...contractIds]));
  return new Map(rows.map(({ id, dataSourceId }) => [id, dataSourceId]));
}
