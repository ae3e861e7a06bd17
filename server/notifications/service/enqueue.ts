import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { findEnabledUsers } from "../../auth/service/users.ts";
import type { Transaction } from "../../db/client.ts";
import { sendEvents } from "../../jobs/client.ts";
import { sendToUsers } from "../../realtime/service.ts";
import { type NotificationContent, storableContent } from "../content.ts";
import { type CsvTable, gzippedCsv } from "../csv.ts";
import { deliveryDue } from "../events.ts";
import type { CauseKind } from "../schema.ts";
import { deliveries, notifications, recipients } from "../tables.ts";

/** Mail makes a third more of it, and many a server takes no mail over 10 MB. */
const mostAttachedBytes = 7 * 1024 * 1024;

export type NotificationRequest = {
  projectId: number;
  cause: { kind: CauseKind; id: number };
  /** Tells apart what one cause says at different times: an incident's beginning and its end. */
  dedupeKey?: string;
  content: NotificationContent;
  /** All rows, which e-mails carry as a file. */
  csv?: CsvTable;
  /** Those that are enabled, not archived and of the project are told; the others are passed over. */
  recipientIds?: readonly number[];
  /** Those that are enabled are told, by e-mail at their own address. */
  userIds?: readonly number[];
};

/**
 * Puts a notification into the outbox, in the transaction of what caused it: when that commits, everybody is told,
 * whatever happens to this process; when it does not, nobody is. Call it last, as events follow. Returns the
 * notification's id; null when there was nobody to tell, or the cause has been told of before.
 */
export async function enqueueNotification(
  tx: Transaction,
  request: NotificationRequest,
): Promise<number | null> {
  const { projectId, cause, dedupeKey = "", csv } = request;
  const receivers = await findReceivers(tx, request);
  if (receivers.length === 0) return null;

  const content = storableContent(request.content);
  const [notification] = await tx
    .insert(notifications)
    .values({
      projectId,
      causeKind: cause.kind,
      causeId: cause.id,
      dedupeKey,
      subject: content.title,
      content,
    })
    .onConflictDoNothing()
    .returning({ id: notifications.id });
  if (!notification) return null;
  if (csv) await attach(tx, notification.id, content, csv);

  const queued = await tx
    .insert(deliveries)
    .values(receivers.map((receiver) => ({ ...receiver, projectId, notificationId: notification.id })))
    .returning({ id: deliveries.id });
  await sendEvents(
    tx,
    queued.map(({ id }) => deliveryDue.create({ deliveryId: id }, { id: `deliver/${id}` })),
  );
  const people = receivers.flatMap(({ userId }) => userId ?? []);
  await sendToUsers(tx, people, { name: "NotificationCreated", data: { id: notification.id } });
  return notification.id;
}

type Receiver = Pick<typeof deliveries.$inferInsert, "recipientId" | "userId" | "recipientName" | "channel">;

async function findReceivers(
  tx: Transaction,
  { projectId, recipientIds = [], userIds = [] }: NotificationRequest,
): Promise<Receiver[]> {
  const listed =
    recipientIds.length === 0
      ? []
      : await tx
          .select({
            recipientId: recipients.id,
            recipientName: recipients.name,
            channel: recipients.type,
          })
          .from(recipients)
          .where(
            and(
              inArray(recipients.id, [...recipientIds]),
              eq(recipients.projectId, projectId),
              eq(recipients.enabled, true),
              isNull(recipients.archivedAt),
            ),
          )
          .orderBy(asc(recipients.id));
  const people = await findEnabledUsers(tx, userIds);
  return [
    ...listed,
    ...people.map(({ id, name }) => ({ userId: id, recipientName: name, channel: "Email" as const })),
  ];
}

async function attach(
  tx: Transaction,
  notificationId: number,
  content: NotificationContent,
  csv: CsvTable,
): Promise<void> {
  const attachment = await gzippedCsv(csv, mostAttachedBytes);
  const note = [content.note, "The result is too large to be attached."].filter(Boolean).join(" ");
  await tx
    .update(notifications)
    .set(
      attachment ? { attachment, attachmentName: fileName(csv.fileName) } : { content: { ...content, note } },
    )
    .where(eq(notifications.id, notificationId));
}

/** A name that every system takes for a file's, ending in .csv. */
function fileName(name: string): string {
  const stem = name
    .replace(/\.csv$/i, "")
    .replace(/[^\p{L}\p{M}\p{N}._ -]+/gu, "-")
    .replace(/^[.\s-]+|[.\s-]+$/g, "")
    .slice(0, 100);
  return `${stem || "result"}.csv`;
}
