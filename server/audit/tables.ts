import {
  bigint,
  index,
  integer,
  pgEnum,
  pgTable,
  pgView,
  primaryKey,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import { id, moment } from "../db/columns.ts";
import { principalKinds } from "./principal-kinds.ts";

export const principalKind = pgEnum("principal_kind", principalKinds);

/**
 * Actions, one row each. Append-only: triggers prevent deleting and changing rows, except for setting the outcome of a
 * run. Objects are referenced by id without a foreign key, because an entry outlives its object.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    at: moment().notNull().defaultNow(),
    principalKind: principalKind().notNull(),
    /** The user's id, or the key's. */
    principalId: integer(),
    /** The name at the time. */
    principalName: text().notNull(),
    /** The user who owns the key. */
    userId: integer(),
    action: text().notNull(),
    objectKind: text().notNull(),
    objectId: integer(),
    detail: text(),
    /** The outcome of a run: "" until it ends, then written once. null for other actions. */
    outcome: text(),
    address: text(),
  },
  (t) => [
    // All of these are read backwards, newest first. This one: the log as it opens, or a period of it.
    index("audit_log_at_idx").on(t.at, t.id),
    // Actions of one caller.
    index("audit_log_principal_idx").on(t.principalId, t.at, t.id),
    // One kind of action, such as failed sign-ins; also finds which actions occur.
    index("audit_log_action_idx").on(t.action, t.at, t.id),
    // Actions on one object, or on objects of one kind; also finds which kinds occur.
    index("audit_log_object_idx").on(t.objectKind, t.objectId, t.at, t.id),
  ],
);

/**
 * Reads by each key per hour: reads are too frequent for a row each. Counts are buffered in the process and written
 * every few seconds, so keys are referenced without a foreign key: one that does not exist must not block the counts of
 * others.
 */
export const keyReads = pgTable(
  "key_reads",
  {
    keyId: integer().notNull(),
    /** The start of the hour, in UTC. */
    hour: moment().notNull(),
    count: integer().notNull(),
  },
  (t) => [
    // One count per key and hour, incremented by every process.
    primaryKey({ columns: [t.keyId, t.hour] }),
    // The latest hours, to merge with the log's entries.
    index("key_reads_hour_idx").on(t.hour),
  ],
);

/**
 * The log as it is read: its rows, with a run's outcome prepended to its detail, and the hours of key reads. The view
 * is defined in a migration, so its columns are named here.
 */
export const auditEntries = pgView("audit_entries", {
  id: bigint("id", { mode: "number" }).notNull(),
  at: timestamp("at", { withTimezone: true, mode: "date", precision: 3 }).notNull(),
  principalKind: principalKind("principal_kind").notNull(),
  principalId: integer("principal_id"),
  principalName: text("principal_name").notNull(),
  userId: integer("user_id"),
  action: text("action").notNull(),
  objectKind: text("object_kind").notNull(),
  objectId: integer("object_id"),
  detail: text("detail"),
  address: text("address"),
}).existing();
