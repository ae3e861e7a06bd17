import { and, asc, count, eq, inArray, isNotNull, notExists, or, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { type Connection, db } from "../../db/client.ts";
import { orderBy, type Sorts } from "../../db/listed.ts";
import type { Paging } from "../../db/paged.ts";
import { containsWord, wordsIn } from "../../db/words.ts";
import { Problem } from "../../errors.ts";
import { sendEvents } from "../../jobs/client.ts";
import { maskRows } from "../../masking.ts";
import type { NotificationContent } from "../content.ts";
import { failingDays } from "../delivery-kinds.ts";
import { deliveryDue } from "../events.ts";
import type { CauseKind, DeliverySort, ListDeliveries } from "../schema.ts";
import { deliveries, notifications } from "../tables.ts";

const shown = {
  id: deliveries.id,
  notificationId: deliveries.notificationId,
  projectId: deliveries.projectId,
  recipient: { id: deliveries.recipientId, name: deliveries.recipientName },
  channel: deliveries.channel,
  subject: notifications.subject,
  status: deliveries.status,
  attempts: deliveries.attempts,
  lastError: deliveries.lastError,
  answer: deliveries.answer,
  nextAttemptAt: deliveries.nextAttemptAt,
  createdAt: deliveries.createdAt,
  sentAt: deliveries.sentAt,
  cause: { kind: notifications.causeKind, id: notifications.causeId },
  link: sql<NonNullable<NotificationContent["link"]> | null>`${notifications.content} -> 'link'`,
};

/**
 * Needs attention: it failed recently, or is being retried. Tests are excluded, because their outcome is shown
 * directly.
 */
const isFailing = and(
  or(
    and(
      eq(deliveries.status, "Failed"),
      sql`${deliveries.failedAt} > now() - ${failingDays} * interval '1 day'`,
    ),
    and(eq(deliveries.status, "Queued"), isNotNull(deliveries.lastError)),
  ),
  notExists(
    db
      .select({ one: sql`1` })
      .from(notifications)
      .where(and(eq(notifications.id, deliveries.notificationId), eq(notifications.causeKind, "Test"))),
  ),
);

const isOfExecution = (executionId: number) =>
  inArray(
    deliveries.notificationId,
    db
      .select({ id: notifications.id })
      .from(notifications)
      .where(and(eq(notifications.causeKind, "Execution"), eq(notifications.causeId, executionId))),
  );

/** A user's digest of all their projects belongs to none: they see it, and Admins, but no key that is limited to projects. */
function isVisible(principal: SignedIn["principal"]) {
  const inProject = inVisibleProject(principal, deliveries.projectId);
  if (inProject) return inProject;
  if (principal.role === "Admin") return undefined;
  return or(isNotNull(deliveries.projectId), eq(deliveries.userId, principal.userId));
}

type Filter = Partial<Omit<ListDeliveries, keyof Paging>>;

/** Whether the subject or the recipient's name contains a word. */
const holds = (word: string) =>
  or(containsWord(deliveries.recipientName, word), containsWord(notifications.subject, word));

const sorts: Sorts<DeliverySort> = {
  Queued: { by: [], natural: "Desc" },
  Recipient: { by: [sql`lower(${deliveries.recipientName})`], natural: "Asc" },
  Attempts: { by: [deliveries.attempts], natural: "Desc" },
};

/** A page of deliveries that match all filters, newest first. */
export async function listDeliveries({ principal }: SignedIn, filter: Filter & Paging) {
  const { page, pageSize, status, failing, recipientId, projectId, executionId } = filter;
  const fits = and(
    isVisible(principal),
    projectId === undefined ? undefined : eq(deliveries.projectId, projectId),
    status === undefined ? undefined : eq(deliveries.status, status),
    failing ? isFailing : undefined,
    recipientId === undefined ? undefined : eq(deliveries.recipientId, recipientId),
    executionId === undefined ? undefined : isOfExecution(executionId),
    ...wordsIn(filter.search ?? "").map(holds),
  );
  const counting = db.select({ deliveries: count() }).from(deliveries).$dynamic();
  // Only a search looks at the messages, which are large.
  const [counted] = await (filter.search
    ? counting.innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    : counting
  ).where(fits);
  const totalCount = counted?.deliveries ?? 0;
  const offset = page * pageSize;
  // PostgreSQL would scan all of them to find nothing.
  const items =
    offset >= totalCount
      ? []
      : await db
          .select(shown)
          .from(deliveries)
          .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
          .where(fits)
          .orderBy(...orderBy(sorts, { sortBy: "Queued", ...filter }, [deliveries.id], "natural"))
          .limit(pageSize)
          .offset(offset);
  return { items, page, pageSize, totalCount };
}

const deliveryNotFound = () => new Problem("not_found", "Delivery not found");

/** Throws not_found for an unknown delivery, and for one in a project that the caller cannot see. */
async function getDelivery(connection: Connection, { principal }: SignedIn, id: number) {
  const [delivery] = await connection
    .select(shown)
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(and(eq(deliveries.id, id), isVisible(principal)));
  if (!delivery) throw deliveryNotFound();
  return delivery;
}

/** A delivery with what was sent; rows are masked, since it is shown to everyone who can see the project. */
export async function getDeliveryDetail({ principal }: SignedIn, id: number) {
  const [found] = await db
    .select({
      ...shown,
      content: notifications.content,
      attachmentName: notifications.attachmentName,
      isKept: isNotNull(notifications.attachment).mapWith(Boolean),
    })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(and(eq(deliveries.id, id), isVisible(principal)));
  if (!found) throw deliveryNotFound();
  const { content, attachmentName, isKept, ...delivery } = found;
  const { table, moments: _, ...message } = content;
  const masked = table && maskRows({ columns: table.columns.map((name) => ({ name })), rows: table.rows });
  return {
    ...delivery,
    message: {
      ...message,
      ...(table && masked && { table: { ...table, rows: masked.rows } }),
      maskedColumns: masked?.maskedColumns ?? [],
    },
    attachment: attachmentName === null ? null : { name: attachmentName, isKept },
  };
}

/** What failed; and what a webhook has received, because its receiver may have lost it since. */
const canBeSentAgain = or(
  eq(deliveries.status, "Failed"),
  and(eq(deliveries.status, "Sent"), eq(deliveries.channel, "Webhook")),
);

/** Queues such a delivery with a full set of attempts, under its former id. Throws conflict for any other. */
export async function retryDelivery(ctx: SignedIn, id: number) {
  return db.transaction(async (tx) => {
    await getDelivery(tx, ctx, id);
    const now = sql`clock_timestamp()`;
    const [queued] = await tx
      .update(deliveries)
      .set({ status: "Queued", tries: 0, queuedAt: now, nextAttemptAt: now, failedAt: null, sentAt: null })
      .where(and(eq(deliveries.id, id), canBeSentAgain))
      .returning({ attempts: deliveries.attempts });
    if (!queued)
      throw new Problem(
        "conflict",
        "Only a failed delivery can be sent again, or one that a webhook has received",
      );
    const delivery = await getDelivery(tx, ctx, id);
    await sendEvents(
      tx,
      deliveryDue.create({ deliveryId: id }, { id: `deliver/${id}/again/${queued.attempts}` }),
    );
    return delivery;
  });
}

/** Permanently failed deliveries of these causes, oldest first, for monitoring. */
export async function deliveryFailuresOf(
  connection: Connection,
  cause: { kind: CauseKind; ids: readonly number[] },
) {
  if (cause.ids.length === 0) return [];
  return connection
    .select({
      deliveryId: deliveries.id,
      causeId: notifications.causeId,
      recipientId: deliveries.recipientId,
      recipientName: deliveries.recipientName,
      channel: deliveries.channel,
      reason: deliveries.lastError,
      failedAt: deliveries.failedAt,
    })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(
      and(
        eq(notifications.causeKind, cause.kind),
        inArray(notifications.causeId, [...cause.ids]),
        eq(deliveries.status, "Failed"),
      ),
    )
    .orderBy(asc(deliveries.failedAt), asc(deliveries.id));
}
