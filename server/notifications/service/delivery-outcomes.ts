import { and, eq, inArray, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import type { CauseKind } from "../schema.ts";
import { deliveries, notifications } from "../tables.ts";

/** What came of telling people: all were reached, somebody was not, or it is not decided yet. */
export type DeliveryOutcome = "Sent" | "Failed" | "Queued";

/** The outcome by cause; one of which nobody was told has none. */
export async function deliveryOutcomes(
  kind: CauseKind,
  ids: readonly number[],
): Promise<Map<number, DeliveryOutcome>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({
      id: notifications.causeId,
      outcome: sql<DeliveryOutcome>`case
        when bool_or(${deliveries.status} = 'Failed') then 'Failed'
        when bool_or(${deliveries.status} = 'Queued') then 'Queued'
        else 'Sent' end`,
    })
    .from(notifications)
    .innerJoin(deliveries, eq(deliveries.notificationId, notifications.id))
    .where(and(eq(notifications.causeKind, kind), inArray(notifications.causeId, [...ids])))
    .groupBy(notifications.causeId);
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}
