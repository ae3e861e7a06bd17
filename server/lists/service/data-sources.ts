import { and, count, eq, inArray, isNull } from "drizzle-orm";
import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { contracts } from "../../data-quality/tables.ts";
import { placeOf } from "../../data-sources/place.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { pageOfRows } from "../page-of-rows.ts";
import type { dataSourcesPageInput } from "../schema.ts";
import { projectNamesOf } from "./projects.ts";

/** A page of the data sources visible to the caller, each with its number of enabled contracts. */
export async function dataSourcesPage(
  ctx: SignedIn,
  { projectId, ...asked }: z.output<typeof dataSourcesPageInput>,
) {
  const [{ items }, nameOfProject] = await Promise.all([
    listDataSources(ctx, { projectId }),
    projectNamesOf(ctx),
  ]);
  const counts = await countContracts(items.map(({ id }) => id));
  const rows = items.map((source) => ({ ...source, activeContractCount: counts.get(source.id) ?? 0 }));
  return pageOfRows(rows, asked, {
    text: ({ name, connection, projectId }) =>
      [name, ...Object.values(connection), nameOfProject(projectId)].join(" "),
    sorts: {
      Name: { by: ({ name }) => name },
      Project: { by: ({ projectId }) => nameOfProject(projectId) },
      Server: { by: ({ connection }) => placeOf(connection) },
      Database: { by: ({ connection }) => ("database" in connection ? connection.database : null) },
      Login: { by: ({ canWrite }) => canWrite, natural: "Desc" },
      Contracts: { by: ({ activeContractCount }) => activeContractCount, natural: "Desc" },
    },
  });
}

async function countContracts(dataSourceIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .select({ id: contracts.dataSourceId, contracts: count() })
    .from(contracts)
    .where(
      and(
        inArray(contracts.dataSourceId, [...dataSourceIds]),
        eq(contracts.enabled, true),
        isNull(contracts.archivedAt),
      ),
    )
    .groupBy(contracts.dataSourceId);
  return new Map(rows.map(({ id, contracts }) => [id, contracts]));
}
