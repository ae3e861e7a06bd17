import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { bytes, createdAt, id, moment } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import type { NotificationContent } from "./content.ts";
import { deliveryStatuses } from "./delivery-kinds.ts";
import type { NotificationPreferences, PersonalDigest } from "./personal.ts";
import { causeKinds, recipientTypes } from "./schema.ts";

export const recipientType = pgEnum("recipient_type", recipientTypes);
export const causeKind = pgEnum("notification_cause", causeKinds);
export const deliveryStatus = pgEnum("delivery_status", deliveryStatuses);

/** Until when nobody is notified about a row, who decided that, and why; over once the time has passed. */
export const silence = () => ({
  silencedUntil: moment(),
  silencedById: integer().references(() => users.id),
  silenceReason: text(),
});

export const recipients = pgTable(
  "recipients",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    name: text().notNull(),
    type: recipientType().notNull(),
    /** Of a secret, what is shown of it. */
    destination: text().notNull(),
    /** A destination that is a secret, encrypted. */
    sealedDestination: bytes(),
    enabled: boolean().notNull().default(true),
    /** Whether it is also sent what waits for a decision in its project: plans, and changes of queries. */
    decisions: boolean().notNull().default(false),
    /** A webhook's signing secret, encrypted; shown once when it is created. */
    signingSecret: bytes(),
    /** Incremented by every edit. */
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    archivedAt: moment(),
  },
  (t) => [
    // A project's recipients, for pickers.
    index("recipients_project_idx").on(t.projectId),
  ],
);

/** What users want to be notified about at their own address; those without a row have the defaults. */
export const notificationPreferences = pgTable("notification_preferences", {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  topics: jsonb().$type<Partial<NotificationPreferences["topics"]>>().notNull(),
  /** Times of day in the user's zone, as HH:MM; both or neither. */
  quietFrom: text(),
  quietUntil: text(),
  urgentInQuietHours: boolean().notNull(),
  /** When a daily summary is sent; null: never. */
  digest: jsonb().$type<PersonalDigest>(),
  /** The day, in the user's zone, of the last digest that was due, and its time: the next tells what happened since. */
  lastDigestDay: date(),
  lastDigestAt: moment(),
});

/** The outbox: notifications, written in the transaction of their cause. */
export const notifications = pgTable(
  "notifications",
  {
    id: id(),
    /** null for what is about all of a user's projects: their digest. */
    projectId: integer().references(() => projects.id),
    /** The cause's id in another domain's table, so there is no foreign key. */
    causeKind: causeKind().notNull(),
    causeId: integer().notNull(),
    /** Distinguishes several notifications of one cause; empty if there is only one. */
    dedupeKey: text().notNull().default(""),
    subject: text().notNull(),
    content: jsonb().$type<NotificationContent>().notNull(),
    /** All rows as compressed CSV; deleted some days after the last delivery has ended. */
    attachment: bytes(),
    attachmentName: text(),
    createdAt: createdAt(),
  },
  (t) => [
    // A cause notifies once, however often its job is retried.
    uniqueIndex("notifications_cause_idx").on(t.causeKind, t.causeId, t.dedupeKey),
    // For the cleanup job.
    index("notifications_attached_idx").on(t.createdAt).where(sql`${t.attachment} is not null`),
  ],
);

/** The ledger: one notification to one recipient, or to a user at their own address. */
export const deliveries = pgTable(
  "deliveries",
  {
    id: id(),
    notificationId: integer()
      .notNull()
      .references(() => notifications.id),
    /** Copied from the notification, so that a page of the ledger needs only one index. */
    projectId: integer(),
    recipientId: integer().references(() => recipients.id),
    userId: integer().references(() => users.id),
    /** The name of its recipient at the time. */
    recipientName: text().notNull(),
    channel: recipientType().notNull(),
    status: deliveryStatus().notNull().default("Queued"),
    /** The total number of attempts. */
    attempts: integer().notNull().default(0),
    /** Attempts since it was queued, at first or by hand; decides the delay before the next one. */
    tries: integer().notNull().default(0),
    queuedAt: moment().notNull().defaultNow(),
    /** The time of the next attempt; null once the delivery has ended. */
    nextAttemptAt: moment().defaultNow(),
    /** Why the latest attempt failed; contains no address and no secret. */
    lastError: text(),
    /** What the receiver answered to the attempt that was accepted; contains no address and no secret. */
    answer: text(),
    createdAt: createdAt(),
    sentAt: moment(),
    failedAt: moment(),
    /** The current worker, and until when it counts as alive without a heartbeat. */
    leaseToken: uuid(),
    leaseUntil: moment(),
  },
  (t) => [
    // What belongs to no project is nobody's but a user's.
    check("deliveries_of_project_or_user", sql`num_nonnulls(${t.projectId}, ${t.userId}) > 0`),
    check("deliveries_one_receiver", sql`num_nonnulls(${t.recipientId}, ${t.userId}) = 1`),
    check("deliveries_queued_has_time", sql`(${t.status} = 'Queued') = (${t.nextAttemptAt} is not null)`),
    // A recipient gets a notification once.
    uniqueIndex("deliveries_recipient_idx").on(t.notificationId, t.recipientId),
    uniqueIndex("deliveries_user_idx").on(t.notificationId, t.userId),
    // Due deliveries, whether their receiver is busy, and its next one.
    index("deliveries_due_idx").on(t.nextAttemptAt).where(sql`${t.status} = 'Queued'`),
    index("deliveries_queue_idx").on(t.recipientId, t.userId, t.id).where(sql`${t.status} = 'Queued'`),
    // The ledger, newest first (an index is also read backwards): by project, recipient, or status.
    index("deliveries_project_idx").on(t.projectId, t.id),
    index("deliveries_history_idx").on(t.recipientId, t.id),
    index("deliveries_status_idx").on(t.status, t.id),
    // Recent failures, which need attention.
    index("deliveries_failed_idx").on(t.failedAt).where(sql`${t.status} = 'Failed'`),
  ],
);
