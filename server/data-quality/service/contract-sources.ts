import { inArray } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { dialectOf } from "../../data-sources/dialects/dialects.ts";
import { isRest } from "../../data-sources/kinds.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import type { Connection } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { contracts } from "../tables.ts";

/**
 * A database for a contract, with its SQL dialect. Throws not_found if the caller cannot access it, and rejected if it
 * is not a database.
 */
export async function getContractSource(ctx: SignedIn, dataSourceId: number) {
  const source = await getDataSource(ctx, dataSourceId);
  const dialect = dialectOf(source.kind);
  if (dialect === null || isRest(source.connection))
    throw new Problem("rejected", "Data contract's data source must be a database type");
  return { source, dialect, defaultSchema: dialect.defaultSchema(source.connection) };
}

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
