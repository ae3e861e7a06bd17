import { sql } from "drizzle-orm";
import { boolean, integer, pgEnum, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "../db/columns.ts";
import { roles } from "./schema.ts";

export const userRole = pgEnum("user_role", roles);

export const users = pgTable(
  "users",
  {
    id: id(),
    email: text().notNull(),
    name: text().notNull(),
    role: userRole().notNull(),
    enabled: boolean().notNull().default(true),
    passwordHash: text(),
    /** Counts up when the password changes, which ends every session that began before. */
    sessionEpoch: integer().notNull().default(0),
    createdAt: createdAt(),
    lastSignInAt: moment(),
    /** When the user was made an Admin, or enabled as one; null for one who always was, and for who never was. */
    adminSince: moment(),
    /** When the user ceased to be an enabled Admin; null for one who is, and for who never was. */
    adminUntil: moment(),
  },
  (t) => [
    // Sign-in finds people by e-mail, whatever its case.
    uniqueIndex("users_email_idx").on(sql`lower(${t.email})`),
  ],
);

/** Who a user is at an OIDC provider: the subject there, which is never given to anybody else. */
export const userIdentities = pgTable(
  "user_identities",
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.issuer, t.subject] }),
    // A user is one person of each provider.
    uniqueIndex("user_identities_user_idx").on(t.userId, t.issuer),
  ],
);

/** Counts attempts per address and per account; rows expire by themselves. Shape given by rate-limiter-flexible. */
export const rateLimits = pgTable("rate_limits", {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: moment(),
});
