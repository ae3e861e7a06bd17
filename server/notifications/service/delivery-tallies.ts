import { and, eq, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import type { CauseKind } from "../schema.ts";
import { deliveries, notifications } from "../tables.ts";

/** How many recipients a cause had, and the results so far. */
export type DeliveryTally = {
  recipients: number;
  sent: number;
  failed: number;
  /** Queued again after a failed attempt. */
  retrying: number;
};

/** The tally per cause; a cause without recipients has none. One query for all of them. */
export async function deliveryTallies(
  kind: CauseKind,
  ids: readonly number[],
): Promise<Map<number, DeliveryTally>> {
  if (ids.length === 0) return new Map();
  const { status, lastError } = deliveries;
  const rows = await db
    .select({
      id: notifications.causeId,
      recipients: sql<number>`count(*)::int`,
      sent: sql<number>`(count(*) filter (where ${status} = 'Sent'))::int`,
      failed: sql<number>`(count(*) filter (where ${status} = 'Failed'))::int`,
      retrying: sql<number>`(count(*) filter (where ${status} = 'Queued' and ${lastError} is not null))::int`,
    })
    .from(notifications)
    .innerJoin(deliveries, eq(deliveries.notificationId, notifications.id))
    .where(and(eq(notifications.causeKind, kind), inArray(notifications.causeId, [...ids])))
    .groupBy(notifications.causeId);
  return new Map(rows.map(({ id, ...tally }) => [id, tally]));
}

/** Whether a message of a cause failed permanently, as a condition in a query on the table of `causeId`. */
export function hasFailedDelivery(kind: CauseKind, causeId: SQLWrapper): SQL {
  return sql`exists (
    select from ${notifications} join ${deliveries} on ${deliveries.notificationId} = ${notifications.id}
    where ${notifications.causeKind} = ${kind} and ${notifications.causeId} = ${causeId}
      and ${deliveries.status} = 'Failed')`;
}
