import { and, eq, inArray, notExists, or, sql } from "drizzle-orm";
import { type Connection, db, inOneTransaction, type Transaction } from "../../db/client.ts";
import { projects } from "../../projects/tables.ts";
import { log } from "../../telemetry/log.ts";
import type { Identity, NamedRole } from "../oidc-claims.ts";
import { highestRole } from "../permissions.ts";
import type { Context } from "../principal.ts";
import type { ProjectRole, Role } from "../schema.ts";
import { userIdentities, users } from "../tables.ts";
import { storedProjectRoles, storeProjectRoles } from "./project-roles.ts";
import { adminTerm, lockAdmins } from "./users.ts";

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

/** A role in all projects or, with a list, a role in each of those. */
type Access = { role: Role; projectRoles: readonly ProjectRole[] | null };

/** By JWT: uses the access of its claims, without storing it, because an old JWT may arrive late. */
export async function admitCaller(
  identity: Identity,
  record: Recorder,
): Promise<{ user: User; access: Access } | { refusal: Refusal }> {
  const access = await accessBy(identity);
  if (!access) return { refusal: "NoRole" };
  const user = (await findUser(db, identity)) ?? (await admitNewcomer(identity, access, record));
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

const noAccess: Access = { role: "Viewer", projectRoles: [] };

/** Stores and records what the provider says. The last Admin keeps access, and is not admitted with less. */
async function enter(
  id: number,
  access: Access,
  record: Recorder,
  { isSignIn = false } = {},
): Promise<{ user: User } | { refusal: Refusal }> {
  return db.transaction(async (tx) => {
    const admins = await lockAdmins(tx);
    const isAdmin = access.projectRoles === null && access.role === "Admin";
    // Fixing a misconfigured provider takes another Admin, or this one's password.
    if (!isAdmin && admins.length === 1 && admins[0]?.id === id) return { refusal: "LastAdmin" };
    const [before] = await tx
      .select({ user: users, projectRoles: storedProjectRoles })
      .from(users)
      .where(eq(users.id, id))
      .for("update", { of: users });
    if (!before?.user.enabled) return { refusal: "Disabled" };
    const wasAdmin = admins.some((admin) => admin.id === id);
    const [user] = await tx
      .update(users)
      .set({
        role: access.projectRoles ? "Viewer" : access.role,
        limitedToProjects: access.projectRoles !== null,
        ...(isSignIn && { lastSignInAt: sql`now()` }),
        ...adminTerm({ wasAdmin, isAdmin }),
      })
      .where(eq(users.id, id))
      .returning();
    if (!user) throw new Error("A locked user is gone");
    const [former, now] = [
      inWords(before.user.role, before.projectRoles),
      inWords(access.role, access.projectRoles),
    ];
    if (former === now) return { user };
    if (before.projectRoles || access.projectRoles) await storeProjectRoles(tx, id, access.projectRoles);
    await record(changeOf(user, "users.update", `${former} becomes ${now}, by OIDC`));
    return { user };
  });
}

function inWords(role: Role, projectRoles: readonly ProjectRole[] | null): string {
  if (projectRoles === null) return role;
  if (projectRoles.length === 0) return "No access";
  return projectRoles
    .toSorted((a, b) => a.projectId - b.projectId)
    .map((each) => `${each.role} in project ${each.projectId}`)
    .join(", ");
}

/** What the claims give, in the projects that exist; null if that is nothing. */
async function accessBy({ role, projectRoles: named }: Identity): Promise<Access | null> {
  if (role) return { role, projectRoles: null };
  const projectRoles = await findProjects(named);
  return projectRoles.length === 0 ? null : { role: highestRole(projectRoles), projectRoles };
}

/** The highest role in each project. A name that no project has, or more than one, gives nothing. */
async function findProjects(named: readonly NamedRole[]): Promise<ProjectRole[]> {
  if (named.length === 0) return [];
  const asked = [...new Set(named.map(({ project }) => project))];
  const ids = asked.filter(isId).map(Number);
  const rows = await db
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(or(inArray(projects.id, ids), inArray(projects.name, asked)));
  const roles = new Map<number, Role>();
  for (const { project, role } of named) {
    const found = rows.filter(({ id, name }) => (isId(project) ? id === Number(project) : name === project));
    const [{ id } = { id: 0 }] = found;
    if (found.length === 1) roles.set(id, highestRole([{ role }, { role: roles.get(id) ?? role }]));
    else
      log.warn({ project, projects: found.length }, "OIDC_PROJECT_ROLES does not name exactly one project");
  }
  return [...roles].map(([projectId, role]) => ({ projectId, role }));
}

const isId = (project: string) => /^[1-9]\d{0,8}$/.test(project);

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
