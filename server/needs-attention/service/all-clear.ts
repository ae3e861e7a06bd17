import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { contracts, evaluations } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { subscriptionState, subscriptions } from "../../subscriptions/tables.ts";

/** When something was last checked, so that an empty list is not mistaken for one that nobody fills. */
export async function allClear(
  { principal }: SignedIn,
  { projectId }: { projectId?: number | undefined },
): Promise<{ lastCheckAt: Date | null }> {
  const chosen = projectId ?? null;
  const isIn = (column: Parameters<typeof inVisibleProject>[1]) =>
    sql`(${chosen}::int is null or ${column} = ${chosen}) and ${inVisibleProject(principal, column) ?? sql`true`}`;
  const [row] = await db.execute<{ at: string | null }>(sql`
    select greatest(
      (
        select max(${subscriptionState.lastAt}) from ${subscriptions}
        join ${subscriptionState} on ${subscriptionState.subscriptionId} = ${subscriptions.id}
        where ${subscriptions.archivedAt} is null and ${isIn(subscriptions.projectId)}
      ),
      (
        select max(latest.evaluated_at) from ${contracts}
        join ${dataSources} on ${dataSources.id} = ${contracts.dataSourceId}
        cross join lateral (
          select evaluation.evaluated_at from ${evaluations} as evaluation
          where evaluation.contract_id = ${contracts.id} and evaluation.evaluated_at is not null
          order by evaluation.evaluated_at desc, evaluation.id desc limit 1
        ) as latest
        where ${contracts.archivedAt} is null and ${isIn(dataSources.projectId)}
      )
    ) as at`);
  return { lastCheckAt: row?.at ? new Date(row.at) : null };
}
