import { sql } from "drizzle-orm";
import { boolean, index, integer, pgEnum, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, createdAt, id, moment } from "../db/columns.ts";
import { roles, sessionEnds, signInMethods } from "./schema.ts";

export const userRole = pgEnum("user_role", roles);
export const signInMethod = pgEnum("sign_in_method", signInMethods);
export const sessionEnd = pgEnum("session_end", sessionEnds);

export const users = pgTable(
  "users",
  {
    id: id(),
    email: text().notNull(),
    name: text().notNull(),
    role: userRole().notNull(),
    enabled: boolean().notNull().default(true),
    passwordHash: text(),
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

/** One sign-in in one browser, for as long as it lasts. See `service/session-lifetime.ts` for when a row still counts. */
export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    /** SHA-256 of the token in the cookie, which is stored nowhere. */
    tokenHash: bytes().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    signedInBy: signInMethod().notNull(),
    createdAt: createdAt(),
    /** Written at most once a minute, so that most requests only read. */
    lastUsedAt: moment().notNull().defaultNow(),
    /** Where it was signed in from, and by which browser. */
    address: text(),
    userAgent: text(),
    endedAt: moment(),
    endReason: sessionEnd(),
  },
  (t) => [
    // Every request with a cookie finds its session by this.
    uniqueIndex("sessions_token_idx").on(t.tokenHash),
    // A user's sessions, to list and to end them.
    index("sessions_user_idx").on(t.userId).where(sql`${t.endedAt} is null`),
    // What ended or was last used long ago is removed.
    index("sessions_last_used_idx").on(t.lastUsedAt),
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
