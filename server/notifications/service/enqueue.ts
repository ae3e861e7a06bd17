import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { findPeopleSeeing } from "../../auth/service/people.ts";
import type { Transaction } from "../../db/client.ts";
import { sendEvents } from "../../jobs/client.ts";
import { sendToUsers } from "../../realtime/service.ts";
import { type NotificationContent, storableContent } from "../content.ts";
import { type CsvTable, gzippedCsv } from "../csv.ts";
import { deliveryDue } from "../events.ts";
import type { PersonalTopic } from "../personal-kinds.ts";
import type { CauseKind } from "../schema.ts";
import { deliveries, notifications, recipients } from "../tables.ts";
import { whenToNotify } from "./preferences.ts";

/** Base64 adds a third, and many servers reject mail over 10 MB. */
const maxAttachedBytes = 7 * 1024 * 1024;

export type NotificationRequest = {
  /** null for what is about all of a user's projects; it then has no recipients. */
  projectId: number | null;
  cause: { kind: CauseKind; id: number };
  /** Distinguishes several notifications of one cause: an incident's start and end. */
  dedupeKey?: string;
  content: NotificationContent;
  /** All rows, which emails attach as a file. */
  csv?: CsvTable;
  /** Only enabled recipients of the project are notified. */
  recipientIds?: readonly number[];
  /** Whether it waits for a decision: the project's recipients for those are notified, too. */
  isDecision?: boolean;
  /** Enabled users who see the project, notified by email at their own address, if and when they want to be. */
  userIds?: readonly number[];
  /** What it is to these users, who choose by it. */
  topic?: PersonalTopic;
  /** Whose own it is, among these users; some want to know only of that. */
  ownerIds?: readonly number[];
};

/**
 * Puts a notification into the outbox, in the transaction of its cause: it is sent if and only if that commits. Call
 * it last, because it emits events. Returns the notification's id, or null if there is nobody to notify or this was
 * already sent.
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
    .returning({ id: deliveries.id, isHeld: sql<boolean>`${deliveries.nextAttemptAt} > clock_timestamp()` });
  // The tick picks up what is held back, once the quiet hours have ended.
  const due = queued.filter(({ isHeld }) => !isHeld);
  await sendEvents(
    tx,
    due.map(({ id }) => deliveryDue.create({ deliveryId: id }, { id: `deliver/${id}` })),
  );
  const people = receivers.flatMap(({ userId }) => userId ?? []);
  await sendToUsers(tx, people, { name: "NotificationCreated", data: { id: notification.id } });
  return notification.id;
}

type Receiver = Pick<
  typeof deliveries.$inferInsert,
  "recipientId" | "userId" | "recipientName" | "channel" | "queuedAt" | "nextAttemptAt"
>;

async function findReceivers(
  tx: Transaction,
  {
    projectId,
    recipientIds = [],
    isDecision = false,
    userIds = [],
    topic,
    content,
    ownerIds,
  }: NotificationRequest,
): Promise<Receiver[]> {
  const listed =
    (recipientIds.length === 0 && !isDecision) || projectId === null
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
              or(
                recipientIds.length === 0 ? undefined : inArray(recipients.id, [...recipientIds]),
                isDecision ? recipients.decisions : undefined,
              ),
              eq(recipients.projectId, projectId),
              eq(recipients.enabled, true),
              isNull(recipients.archivedAt),
            ),
          )
          .orderBy(asc(recipients.id));
  const people = await findPeopleSeeing(tx, projectId, userIds);
  const wishes =
    topic && (await whenToNotify(tx, people, { topic, tone: content.tone, now: new Date(), ownerIds }));
  return [
    ...listed,
    ...people.flatMap(({ id, name }) => {
      const wish = wishes ? wishes.get(id) : { heldUntil: null };
      if (!wish) return [];
      const held = wish.heldUntil && { queuedAt: wish.heldUntil, nextAttemptAt: wish.heldUntil };
      return [{ userId: id, recipientName: name, channel: "Email" as const, ...held }];
    }),
  ];
}

async function attach(
  tx: Transaction,
  notificationId: number,
  content: NotificationContent,
  csv: CsvTable,
): Promise<void> {
  const attachment = await gzippedCsv(csv, maxAttachedBytes);
  const note = [content.note, "The result is too large to be attached."].filter(Boolean).join(" ");
  await tx
    .update(notifications)
    .set(
      attachment ? { attachment, attachmentName: fileName(csv.fileName) } : { content: { ...content, note } },
    )
    .where(eq(notifications.id, notificationId));
}

/** A safe file name, ending in .csv. */
function fileName(name: string): string {
  const stem = name
    .replace(/\.csv$/i, "")
    .replace(/[^\p{L}\p{M}\p{N}._ -]+/gu, "-")
    .replace(/^[.\s-]+|[.\s-]+$/g, "")
    .slice(0, 100);
  return `${stem || "result"}.csv`;
}
