import { and, eq, notExists, sql } from "drizzle-orm";
import { type Connection, db, inOneTransaction, type Transaction } from "../../db/client.ts";
import type { Identity } from "../oidc-claims.ts";
import type { Context } from "../principal.ts";
import { accessByScim } from "../scim/service/group-access.ts";
import { userIdentities, users } from "../tables.ts";
import { storeProjectRoles } from "./project-roles.ts";
import { type Access, accessBy, noAccess, storeAccess } from "./store-access.ts";

/**
 * Maps users of the OIDC provider, by sign-in or JWT, to accounts, and decides whether they are admitted.
 *
 * A user is identified by issuer and subject. The email address is used once: on first sign-in, an account with the
 * same address is linked, if the provider has verified the address and no other user of the provider has that
 * account. Otherwise they get a new account without a password.
 */
type User = typeof users.$inferSelect;

/** Records created and changed accounts in the audit log. */
type Recorder = NonNullable<Context["record"]>;

/** Why access is denied; the sign-in page explains it. */
export type Refusal = "NoIdentity" | "NoRole" | "Disabled" | "EmailTaken" | "NotSetUp" | "LastAdmin";

/** By JWT: uses the access of its claims, without storing it, because an old JWT may arrive late. */
export async function admitCaller(
  identity: Identity,
  record: Recorder,
): Promise<{ user: User; access: Access } | { refusal: Refusal }> {
  const found = await findUser(db, identity);
  const account = found ?? (await findAccount(db, identity));
  // Groups that were pushed here decide for those who were, also before their first sign-in.
  const pushed = account && (await accessByScim(db, account.id));
  const access = pushed ?? (await accessBy(identity, "OIDC_PROJECT_ROLES"));
  if (!access) return { refusal: "NoRole" };
  const user = found ?? (await admitNewcomer(identity, access, record));
  if ("refusal" in user) return user;
  return user.enabled ? { user, access } : { refusal: "Disabled" };
}

/**
 * By sign-in: stores the access of the claims, which also applies to the user's sessions and keys. Someone whom the
 * provider no longer gives any is not admitted, and loses what they had.
 */
export async function admitPerson(
  identity: Identity,
  record: Recorder,
): Promise<{ user: User } | { refusal: Refusal }> {
  const admission = await admitCaller(identity, record);
  if ("refusal" in admission) {
    const user = admission.refusal === "NoRole" ? await findUser(db, identity) : null;
    if (user) await inOneTransaction(() => enter(user.id, noAccess, record));
    return admission;
  }
  const { user, access } = admission;
  return inOneTransaction(() => enter(user.id, access, record, { isSignIn: true }));
}

/** Throws nothing: of the last Admin, and of a disabled user, nothing is stored. */
async function enter(
  id: number,
  access: Access,
  record: Recorder,
  { isSignIn = false } = {},
): Promise<{ user: User } | { refusal: Refusal }> {
  return db.transaction(async (tx) => {
    const stored = await storeAccess(tx, id, access, { record, by: "OIDC" });
    if (stored === "LastAdmin" || stored === "Disabled") return { refusal: stored };
    if (isSignIn) await tx.update(users).set({ lastSignInAt: sql`now()` }).where(eq(users.id, id));
    return { user: stored };
  });
}

const changeOf = ({ id }: User, action: string, detail: string) => ({
  ...{ action, objectKind: "user", objectId: id, detail },
});

async function findUser(connection: Connection, { issuer, subject }: Identity): Promise<User | null> {
  const [found] = await connection
    .select({ user: users })
    .from(userIdentities)
    .innerJoin(users, eq(users.id, userIdentities.userId))
    .where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject)));
  return found?.user ?? null;
}

async function admitNewcomer(
  identity: Identity,
  access: Access,
  record: Recorder,
): Promise<User | { refusal: Refusal }> {
  return inOneTransaction(async () => {
    const { user, change } = await introduce(identity, access);
    if (change && !("refusal" in user)) await record(changeOf(user, ...change));
    return user;
  });
}

type Introduced = { user: User | { refusal: Refusal }; change?: [action: string, detail: string] };

/** One at a time: of two concurrent first requests, the second finds what the first created. */
async function introduce(identity: Identity, access: Access): Promise<Introduced> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${userIdentities} in share row exclusive mode`);
    const found = await findUser(tx, identity);
    if (found) return { user: found };
    // The first user completes setup, and must be able to do everything.
    if ((access.projectRoles || access.role !== "Admin") && (await tx.$count(users)) === 0)
      return { user: { refusal: "NotSetUp" } };
    const { issuer, subject } = identity;
    const account = await findAccount(tx, identity);
    const user = account ?? (await createAccount(tx, identity, access));
    if (!user) return { user: { refusal: "EmailTaken" } };
    await tx.insert(userIdentities).values({ issuer, subject, userId: user.id });
    return account
      ? { user, change: ["users.update", `${user.email} now signs in with OIDC`] }
      : { user, change: ["users.create", `${user.name}, by OIDC`] };
  });
}

/** The account with this email address, unless another user of the same provider is linked to it. */
async function findAccount(
  tx: Connection,
  { email, isEmailVerified, issuer }: Identity,
): Promise<User | null> {
  if (!email || !isEmailVerified) return null;
  const others = tx
    .select({ subject: userIdentities.subject })
    .from(userIdentities)
    .where(and(eq(userIdentities.userId, users.id), eq(userIdentities.issuer, issuer)));
  const [account] = await tx
    .select()
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), notExists(others)));
  return account ?? null;
}

/** null if the address belongs to an account that may not be linked. */
async function createAccount(
  tx: Transaction,
  identity: Identity,
  { role, projectRoles }: Access,
): Promise<User | null> {
  const email = identity.email ?? standInAddress(identity);
  const [user] = await tx
    .insert(users)
    .values({
      ...{ name: identity.name, email },
      ...{ role: projectRoles ? "Viewer" : role, limitedToProjects: projectRoles !== null },
    })
    .onConflictDoNothing()
    .returning();
  if (user && projectRoles) await storeProjectRoles(tx, user.id, projectRoles);
  return user ?? null;
}

/** For identities without an email address, such as programs; .invalid is reserved (RFC 2606). */
function standInAddress({ issuer, subject }: Identity): string {
  return `${encodeURIComponent(subject)}@${new URL(issuer).hostname}.invalid`;
}
