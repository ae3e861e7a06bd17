import { and, eq, notExists, sql } from "drizzle-orm";
import { type Connection, db, inOneTransaction, type Transaction } from "../../db/client.ts";
import type { Identity } from "../oidc-claims.ts";
import type { Context } from "../principal.ts";
import type { Role } from "../schema.ts";
import { userIdentities, users } from "../tables.ts";
import { adminTerm, lockAdmins } from "./users.ts";

/**
 * Who comes by the OIDC provider, by sign-in or by JWT, and whether they may come in.
 *
 * A user is found by issuer and subject. The e-mail address only describes, but once: the first time that somebody
 * comes, an account that has the same address becomes theirs, if the provider vouches for the address and nobody
 * else of it has the account. Else they get an account of their own, with no password.
 */
type User = typeof users.$inferSelect;

/** Where an account that is made or changed here is told: the audit log. */
type Recorder = NonNullable<Context["record"]>;

/** Why somebody stays out; the sign-in page says it in words. */
export type Refusal = "NoIdentity" | "NoRole" | "Disabled" | "EmailTaken" | "NotSetUp" | "LastAdmin";

/** By JWT: with the role that its claims give. What is stored is left alone, since an old JWT may come late. */
export async function admitCaller(
  identity: Identity,
  record: Recorder,
): Promise<{ user: User; role: Role } | { refusal: Refusal }> {
  const { role } = identity;
  if (!role) return { refusal: "NoRole" };
  const user = (await findUser(db, identity)) ?? (await admitNewcomer(identity, role, record));
  if ("refusal" in user) return user;
  return user.enabled ? { user, role } : { refusal: "Disabled" };
}

/** By sign-in: the role that the claims give becomes the user's, so it counts for their sessions and keys. */
export async function admitPerson(
  identity: Identity,
  record: Recorder,
): Promise<{ user: User } | { refusal: Refusal }> {
  const admission = await admitCaller(identity, record);
  if ("refusal" in admission) return admission;
  const { id, role: formerRole } = admission.user;
  return inOneTransaction(async () => {
    const user = await enter(id, admission.role);
    if ("refusal" in user) return user;
    if (user.role !== formerRole)
      await record(changeOf(user, "users.update", `${formerRole} becomes ${user.role}, by OIDC`));
    return { user };
  });
}

async function enter(id: number, role: Role): Promise<User | { refusal: Refusal }> {
  return db.transaction(async (tx) => {
    const admins = await lockAdmins(tx);
    // It takes another Admin, or this one's password, to find out what has gone wrong at the provider.
    if (role !== "Admin" && admins.length === 1 && admins[0]?.id === id) return { refusal: "LastAdmin" };
    const wasAdmin = admins.some((admin) => admin.id === id);
    const [user] = await tx
      .update(users)
      .set({ role, lastSignInAt: sql`now()`, ...adminTerm({ wasAdmin, isAdmin: role === "Admin" }) })
      .where(and(eq(users.id, id), eq(users.enabled, true)))
      .returning();
    return user ?? { refusal: "Disabled" };
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
  role: Role,
  record: Recorder,
): Promise<User | { refusal: Refusal }> {
  return inOneTransaction(async () => {
    const { user, change } = await introduce(identity, role);
    if (change && !("refusal" in user)) await record(changeOf(user, ...change));
    return user;
  });
}

type Introduced = { user: User | { refusal: Refusal }; change?: [action: string, detail: string] };

/** One at a time: of two first requests that come together, the second finds what the first has made. */
async function introduce(identity: Identity, role: Role): Promise<Introduced> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${userIdentities} in share row exclusive mode`);
    const found = await findUser(tx, identity);
    if (found) return { user: found };
    // Whoever is first makes the set-up unnecessary, and must be able to do what it is for.
    if (role !== "Admin" && (await tx.$count(users)) === 0) return { user: { refusal: "NotSetUp" } };
    const { issuer, subject } = identity;
    const account = await findAccount(tx, identity);
    const user = account ?? (await createAccount(tx, identity, role));
    if (!user) return { user: { refusal: "EmailTaken" } };
    await tx.insert(userIdentities).values({ issuer, subject, userId: user.id });
    return account
      ? { user, change: ["users.update", `${user.email} signs in by OIDC from now on`] }
      : { user, change: ["users.create", `${user.name}, by OIDC`] };
  });
}

/** The account with the newcomer's address, unless somebody else of the same provider has it already. */
async function findAccount(
  tx: Transaction,
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

/** null when the address is somebody's whose account it is not. */
async function createAccount(tx: Transaction, identity: Identity, role: Role): Promise<User | null> {
  const email = identity.email ?? standInAddress(identity);
  const [user] = await tx
    .insert(users)
    .values({ name: identity.name, email, role })
    .onConflictDoNothing()
    .returning();
  return user ?? null;
}

/** For those of whom the provider tells no address, programs for one; .invalid is nobody's (RFC 2606). */
function standInAddress({ issuer, subject }: Identity): string {
  return `${encodeURIComponent(subject)}@${new URL(issuer).hostname}.invalid`;
}
