import { sql } from "drizzle-orm";
import {
  boolean,
  check,
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
import { causeKinds, deliveryStatuses, recipientTypes } from "./schema.ts";

export const recipientType = pgEnum("recipient_type", recipientTypes);
export const causeKind = pgEnum("notification_cause", causeKinds);
export const deliveryStatus = pgEnum("delivery_status", deliveryStatuses);

export const recipients = pgTable(
  "recipients",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    name: text().notNull(),
    type: recipientType().notNull(),
    destination: text().notNull(),
    enabled: boolean().notNull().default(true),
    /** A webhook's signing secret, encrypted; shown once when it is made. */
    signingSecret: bytes(),
    createdAt: createdAt(),
    archivedAt: moment(),
  },
  (t) => [
    // The recipients of a project, in every picker.
    index("recipients_project_idx").on(t.projectId),
  ],
);

/** The outbox: what is to be told, written in the transaction of what caused it. */
export const notifications = pgTable(
  "notifications",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    /** What it tells of. The id is of another domain's table, which this one does not know. */
    causeKind: causeKind().notNull(),
    causeId: integer().notNull(),
    /** Tells apart what one cause says at different times; empty where it speaks once. */
    dedupeKey: text().notNull().default(""),
    subject: text().notNull(),
    content: jsonb().$type<NotificationContent>().notNull(),
    /** All rows as CSV, compressed; gone some days after the last delivery was decided. */
    attachment: bytes(),
    attachmentName: text(),
    createdAt: createdAt(),
  },
  (t) => [
    // A cause notifies once, however often its job is retried.
    uniqueIndex("notifications_cause_idx").on(t.causeKind, t.causeId, t.dedupeKey),
    // What the cleaning looks through.
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
    /** The notification's, so that a page of the ledger is read from one index. */
    projectId: integer().notNull(),
    recipientId: integer().references(() => recipients.id),
    userId: integer().references(() => users.id),
    /** Who it was for, as they were called then. */
    recipientName: text().notNull(),
    channel: recipientType().notNull(),
    status: deliveryStatus().notNull().default("Queued"),
    /** How often it was tried in all. */
    attempts: integer().notNull().default(0),
    /** How often since it was queued, at first or by hand: what the wait before the next attempt depends on. */
    tries: integer().notNull().default(0),
    queuedAt: moment().notNull().defaultNow(),
    /** When it is tried next; null once it is decided. */
    nextAttemptAt: moment().defaultNow(),
    /** Why the latest attempt failed: no address and no secret. */
    lastError: text(),
    createdAt: createdAt(),
    sentAt: moment(),
    failedAt: moment(),
    /** Who attempts it, and until when that is believed without a word. */
    leaseToken: uuid(),
    leaseUntil: moment(),
  },
  (t) => [
    check("deliveries_one_receiver", sql`num_nonnulls(${t.recipientId}, ${t.userId}) = 1`),
    check("deliveries_queued_has_time", sql`(${t.status} = 'Queued') = (${t.nextAttemptAt} is not null)`),
    // A recipient is told of a notification once.
    uniqueIndex("deliveries_recipient_idx").on(t.notificationId, t.recipientId),
    uniqueIndex("deliveries_user_idx").on(t.notificationId, t.userId),
    // What is due, and whether its receiver is being told something else.
    index("deliveries_due_idx").on(t.nextAttemptAt).where(sql`${t.status} = 'Queued'`),
    index("deliveries_queue_idx").on(t.recipientId, t.userId).where(sql`${t.status} = 'Queued'`),
    // The ledger, newest first (an index is read backwards as well): of a project, of a recipient, of a status.
    index("deliveries_project_idx").on(t.projectId, t.id),
    index("deliveries_history_idx").on(t.recipientId, t.id),
    index("deliveries_status_idx").on(t.status, t.id),
    // Those that failed of late, which need attention.
    index("deliveries_failed_idx").on(t.failedAt).where(sql`${t.status} = 'Failed'`),
  ],
);
