import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import { actors, plans } from "../../actors/tables.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { contracts } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { installation } from "../../db/tables.ts";
import { demoContractName, demoSourceName } from "../demo-names.ts";
import type { Tour } from "../schema.ts";

/** Where the tour leads in the demo; null if it was not loaded, is gone, or is not the caller's to see. */
export async function loadTour({ principal }: SignedIn): Promise<Tour | null> {
  const [source] = await db
    .select({ id: dataSources.id })
    .from(dataSources)
    .innerJoin(installation, isNotNull(installation.demoLoadedAt))
    .where(and(eq(dataSources.name, demoSourceName), inVisibleProject(principal, dataSources.projectId)))
    .orderBy(dataSources.id)
    .limit(1);
  if (!source) return null;
  const [[contract], [plan]] = await Promise.all([
    db
      .select({ id: contracts.id })
      .from(contracts)
      .where(
        and(
          eq(contracts.dataSourceId, source.id),
          eq(contracts.name, demoContractName),
          isNull(contracts.archivedAt),
        ),
      )
      .limit(1),
    db
      .select({ id: plans.id })
      .from(plans)
      .innerJoin(actors, eq(actors.id, plans.actorId))
      .where(
        and(
          eq(actors.dataSourceId, source.id),
          eq(plans.status, "PendingApproval"),
          isNull(actors.archivedAt),
        ),
      )
      .orderBy(desc(plans.id))
      .limit(1),
  ]);
  return { contractId: contract?.id ?? null, planId: plan?.id ?? null };
}
