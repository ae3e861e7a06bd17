import { asc, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { sendEvents } from "../../jobs/client.ts";
import { deliveryDue } from "../events.ts";
import { deliveries } from "../tables.ts";
import { clock, isDue } from "./turns.ts";

/**
 * Emits an event for everything that is due: retries, and deliveries left behind by a dead process. One per receiver,
 * whose next follows when that one is done. Returns how many.
 */
export async function queueDueDeliveries(): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .selectDistinctOn([deliveries.recipientId, deliveries.userId], {
        id: deliveries.id,
        minute: sql<string>`to_char(${clock}, 'YYYY-MM-DD"T"HH24:MI')`,
      })
      .from(deliveries)
      .where(isDue)
      .orderBy(deliveries.recipientId, deliveries.userId, asc(deliveries.id));
    await sendEvents(
      tx,
      due.map(({ id, minute }) =>
        deliveryDue.create({ deliveryId: id }, { id: `deliver/${id}/due/${minute}` }),
      ),
    );
    return due.length;
  });
}
