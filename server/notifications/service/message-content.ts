import { eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import type { Message } from "../channels/channel.ts";
import { pictureAddress } from "../signed-pictures.ts";
import { deliveries, notifications } from "../tables.ts";

/** A message that was sent, by its id, to be shown again; null if it is gone. The caller checks who may see it. */
export async function findSentMessage(id: string): Promise<Message | null> {
  const deliveryId = Number(/^dlv_(\d{1,9})_/.exec(id)?.[1]);
  if (!deliveryId) return null;
  const [row] = await db
    .select({ notification: notifications })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(eq(deliveries.id, deliveryId));
  if (!row) return null;
  const { projectId, causeKind, causeId, content, createdAt } = row.notification;
  const picture = content.chart ? pictureAddress(row.notification.id) : null;
  return {
    ...{ id, projectId, content, createdAt, attachment: null },
    cause: { kind: causeKind, id: causeId },
    ...(picture && { pictureAddress: picture }),
  };
}
