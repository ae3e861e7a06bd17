import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { bytes, createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import { roles } from "./kinds.ts";
import { chatServices, secondFactors, sessionEnds, signInMethods, userKinds } from "./schema.ts";

export const userRole = pgEnum("user_role", roles);
export const userKind = pgEnum("user_kind", userKinds);
export const signInMethod = pgEnum("sign_in_method", signInMethods);
export const sessionEnd = pgEnum("session_end", sessionEnds);
export const secondFactor = pgEnum("second_factor", secondFactors);
export const chatService = pgEnum("chat_service", chatServices);

export const users = pgTable(
  "users",
  {
    id: id(),
    kind: userKind().notNull().default("Person"),
    /** For a service account, a made-up name that is no address, so that no sign-in and no provider finds it. */
    email: text().notNull(),
    name: text().notNull(),
    /** The role in all projects; Viewer, which nothing reads, for someone limited to projects. */
    role: userRole().notNull(),
    /** Whether the user is limited to the projects they are a member of, even if that is none. */
    limitedToProjects: boolean().notNull().default(false),
    enabled: boolean().notNull().default(true),
    /** Incremented by every edit of the name, the role, and whether they are enabled. */
    revision: integer().notNull().default(1),
    passwordHash: text(),
    createdAt: createdAt(),
    lastSignInAt: moment(),
    /** An IANA zone: at first the browser's at the first sign-in, then what the user chose. */
    timeZone: text(),
    /** When the user became an enabled Admin; null if always or never. */
    adminSince: moment(),
    /** When the user stopped being an enabled Admin; null if they still are or never were. */
    adminUntil: moment(),
  },
  (t) => [
    // Sign-in looks up users by email, ignoring case.
    uniqueIndex("users_email_idx").on(sql`lower(${t.email})`),
    // Code that overlooks the limit finds the lowest role.
    check("users_limited_role", sql`not ${t.limitedToProjects} or ${t.role} = 'Viewer'`),
    // Whatever else goes wrong, there is nothing to sign in with.
    check(
      "users_no_sign_in",
      sql`${t.kind} = 'Person' or (${t.email} not like '%@%' and ${t.passwordHash} is null)`,
    ),
  ],
);

/** The roles of users who are limited to projects. */
export const projectMembers = pgTable(
  "project_members",
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    projectId: integer()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    role: userRole().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.projectId] }),
    // A project's members, to list and notify them.
    index("project_members_project_idx").on(t.projectId),
  ],
);

/** A sign-in in one browser. See `service/session-lifetime.ts` for when a row is active. */
export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    /** SHA-256 of the cookie's token, which is not stored. */
    tokenHash: bytes().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    signedInBy: signInMethod().notNull(),
    /** What was presented besides the password. */
    secondFactor: secondFactor(),
    createdAt: createdAt(),
    /** Updated at most once a minute, so that most requests only read. */
    lastUsedAt: moment().notNull().defaultNow(),
    /** The address and browser of the sign-in. */
    address: text(),
    userAgent: text(),
    endedAt: moment(),
    endReason: sessionEnd(),
  },
  (t) => [
    // Every request with a cookie looks up its session.
    uniqueIndex("sessions_token_idx").on(t.tokenHash),
    // A user's sessions, to list and end them.
    index("sessions_user_idx").on(t.userId).where(sql`${t.endedAt} is null`),
    // To delete sessions that ended or were last used long ago.
    index("sessions_last_used_idx").on(t.lastUsedAt),
  ],
);

/** A user's authenticator app. */
export const totpFactors = pgTable("totp_factors", {
  userId: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The shared secret, encrypted and bound to the user. */
  secret: bytes().notNull(),
  /** The time step of the last accepted code: it and earlier ones are no longer accepted. */
  lastStep: bigint({ mode: "number" }).notNull(),
  createdAt: createdAt(),
});

/** A user's WebAuthn credentials. */
export const passkeys = pgTable(
  "passkeys",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text().notNull(),
    /** The authenticator's name for it, in base64url. */
    credentialId: text().notNull(),
    /** In COSE format. */
    publicKey: bytes().notNull(),
    /** The authenticator's signature counter; 0 if it has none. */
    counter: bigint({ mode: "number" }).notNull(),
    transports: text().array().notNull(),
    createdAt: createdAt(),
    lastUsedAt: moment(),
  },
  (t) => [
    // A sign-in names the credential.
    uniqueIndex("passkeys_credential_idx").on(t.credentialId),
    // A user's own passkeys, and whether they have any.
    index("passkeys_user_idx").on(t.userId),
  ],
);

/** Codes that each replace the second factor once. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of the code, which is not stored. */
    hash: bytes().notNull(),
    createdAt: createdAt(),
    usedAt: moment(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
);

/** Accounts at chat services that act as a user, because the user linked them while signed in. */
export const chatAccounts = pgTable(
  "chat_accounts",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    service: chatService().notNull(),
    /** The workspace or tenant, and the account in it, by the service's own ids. */
    teamId: text().notNull(),
    accountId: text().notNull(),
    /** The account's name when it was linked. */
    name: text().notNull(),
    /** How the session began in which it was linked: what that needs to be valid, this needs too. */
    signedInBy: signInMethod().notNull(),
    createdAt: createdAt(),
    lastUsedAt: moment(),
  },
  (t) => [
    // An account acts as one user; each press looks it up.
    uniqueIndex("chat_accounts_account_idx").on(t.service, t.teamId, t.accountId),
    // A user's accounts, to list and end them.
    index("chat_accounts_user_idx").on(t.userId),
  ],
);

/** What an Admin asks of everyone who signs in: one row, or none. */
export const signInPolicy = pgTable("sign_in_policy", {
  /** Always 1, to allow only one row. */
  id: integer().primaryKey(),
  /** The roles that need a second factor. */
  secondFactorRoles: userRole().array().notNull(),
  updatedAt: updatedAt(),
});

/** A user's identity at an OIDC provider: its subject, which is never reused. */
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
    // A user has one identity per provider.
    uniqueIndex("user_identities_user_idx").on(t.userId, t.issuer),
  ],
);

/** A user whom an identity provider has pushed here by SCIM. */
export const scimUsers = pgTable(
  "scim_users",
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    userName: text().notNull(),
    /** What the provider calls them. */
    externalId: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    // Providers look users up by their name, whose case does not matter, before they create them.
    uniqueIndex("scim_users_name_idx").on(sql`lower(${t.userName})`),
  ],
);

export const scimGroups = pgTable(
  "scim_groups",
  {
    id: id(),
    displayName: text().notNull(),
    externalId: text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [uniqueIndex("scim_groups_name_idx").on(sql`lower(${t.displayName})`)],
);

export const scimGroupMembers = pgTable(
  "scim_group_members",
  {
    groupId: integer()
      .notNull()
      .references(() => scimGroups.id, { onDelete: "cascade" }),
    userId: integer()
      .notNull()
      .references(() => scimUsers.userId, { onDelete: "cascade" }),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.userId] }),
    // A user's groups, which decide what they may do.
    index("scim_group_members_user_idx").on(t.userId),
  ],
);

/** Counts of attempts per address and account, with expiry. Schema required by rate-limiter-flexible. */
export const rateLimits = pgTable("rate_limits", {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: moment(),
});
