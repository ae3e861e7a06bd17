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
import { principalKinds } from "./schema.ts";

export const principalKind = pgEnum("principal_kind", principalKinds);

/**
 * What was done, one row each. Rows are only ever added: triggers refuse to remove them and to change them, but for
 * the outcome of a run. They name things by id without a foreign key, because an entry outlives what it is about.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    at: moment().notNull().defaultNow(),
    principalKind: principalKind().notNull(),
    /** The user's id, or the key's. */
    principalId: integer(),
    /** As it was at the time. */
    principalName: text().notNull(),
    /** The user to whom the key belongs. */
    userId: integer(),
    action: text().notNull(),
    objectKind: text().notNull(),
    objectId: integer(),
    detail: text(),
    /** What came of a run: "" until it ends, and then written once. null for what is no run. */
    outcome: text(),
    address: text(),
  },
  (t) => [
    // Read backwards, all of them: newest first. The log as it opens, and a period of it.
    index("audit_log_at_idx").on(t.at, t.id),
    // What one caller did.
    index("audit_log_principal_idx").on(t.principalId, t.at, t.id),
    // One kind of action, such as failed sign-ins; also finds which actions there are.
    index("audit_log_action_idx").on(t.action, t.at, t.id),
    // What happened to one thing, or to things of one kind; also finds which kinds there are.
    index("audit_log_object_idx").on(t.objectKind, t.objectId, t.at, t.id),
  ],
);

/**
 * How often a key read in each hour: reading is too frequent for a row each. Counts are added up in the process
 * and written every few seconds, so a key is named without a foreign key: one that is not there must not hold up
 * the counts of the others.
 */
export const keyReads = pgTable(
  "key_reads",
  {
    keyId: integer().notNull(),
    /** The hour's first moment, in UTC. */
    hour: moment().notNull(),
    count: integer().notNull(),
  },
  (t) => [
    // One count per key and hour, to which every process adds.
    primaryKey({ columns: [t.keyId, t.hour] }),
    // The newest hours, among the log's entries.
    index("key_reads_hour_idx").on(t.hour),
  ],
);

/**
 * The log as it is read: its rows, with a run's outcome at the beginning of its detail, and the hours of keys' reading. The view is written out in a migration, which
 * is also why its columns are named here.
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
