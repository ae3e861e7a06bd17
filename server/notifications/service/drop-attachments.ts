import { and, lte, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { limits } from "../limits.ts";
import { deliveries, notifications } from "../tables.ts";
import { isQueued } from "./turns.ts";

/** Deletes attachments that are no longer needed. Returns how many. */
export async function dropAttachments(): Promise<number> {
  const dropped = await db
    .update(notifications)
    .set({ attachment: null })
    .where(
      and(
        sql`${notifications.attachment} is not null`,
        lte(notifications.createdAt, sql`now() - ${limits.attachmentMs} * interval '1 millisecond'`),
        sql`not exists (select from ${deliveries} where ${deliveries.notificationId} = ${notifications.id}
          and ${isQueued})`,
      ),
    )
    .returning({ id: notifications.id });
  return dropped.length;
}
