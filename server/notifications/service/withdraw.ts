import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import type { CauseKind } from "../schema.ts";
import { deliveries, notifications } from "../tables.ts";
import { isQueued } from "./turns.ts";

/**
 * Removes messages that are no longer true, as far as nobody has tried to send them: those held back until quiet hours
 * end, or queued a moment ago.
 */
export async function withdrawNotifications(
  tx: Transaction,
  { kind, ids }: { kind: CauseKind; ids: readonly number[] },
  dedupeKey: string,
): Promise<void> {
  if (ids.length === 0) return;
  const outdated = tx
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        eq(notifications.causeKind, kind),
        inArray(notifications.causeId, [...ids]),
        eq(notifications.dedupeKey, dedupeKey),
      ),
    );
  await tx
    .delete(deliveries)
    .where(and(inArray(deliveries.notificationId, outdated), isQueued, eq(deliveries.attempts, 0)));
}
