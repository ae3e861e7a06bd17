import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { rejectAdminByKey } from "../admin-by-key.ts";
import { highestRole } from "../permissions.ts";
import type { SignedIn } from "../principal.ts";
import { users } from "../tables.ts";
import { storedProjectRoles, storeProjectRoles } from "./project-roles.ts";
import { type AccessWrite, listUsers, readUser, type UserWrite, updateUser } from "./users.ts";

/**
 * Users that are no people: they own API keys, which therefore outlive whoever created them, and nobody signs in as one.
 * All other rules about users hold: the role and projects limit the keys, and disabling one suspends them.
 */

export type NewServiceAccount = { name: string; enabled?: boolean | undefined } & AccessWrite;

export const listServiceAccounts = () => listUsers("ServiceAccount");

/** Throws not_found for an unknown project, and forbidden if a key would create an Admin, be it of one project. */
export async function createServiceAccount(
  { principal }: SignedIn,
  { name, enabled = true, role = "Viewer", projectRoles = null }: NewServiceAccount,
) {
  if (role === "Admin" || projectRoles?.some((each) => each.role === "Admin")) rejectAdminByKey(principal);
  return db.transaction(async (tx) => {
    const [account] = await tx
      .insert(users)
      .values({
        ...{ kind: "ServiceAccount" as const, email: `service-account-${randomUUID()}` },
        ...{ name, enabled, role, limitedToProjects: projectRoles !== null },
      })
      .returning({ id: users.id });
    if (!account) throw new Error("The insert returned no service account");
    if (projectRoles) await storeProjectRoles(tx, account.id, projectRoles);
    return readUser(tx, account.id);
  });
}

/** Like `updateUser`, of a service account. */
export const updateServiceAccount = (ctx: SignedIn, write: UserWrite) =>
  updateUser(ctx, write, "ServiceAccount");

/** Whether this user is a service account. */
export async function isServiceAccount(connection: Connection, id: number): Promise<boolean> {
  return (await connection.$count(users, and(eq(users.id, id), eq(users.kind, "ServiceAccount")))) > 0;
}

/**
 * A service account's name and highest role, locked until the transaction ends, so that a key is not made while it is
 * being disabled. Throws not_found, and conflict if it is disabled.
 */
export async function holdServiceAccount(tx: Transaction, id: number) {
  const [found] = await tx
    .select({ user: users, projectRoles: storedProjectRoles })
    .from(users)
    .where(and(eq(users.id, id), eq(users.kind, "ServiceAccount")))
    .for("share", { of: users });
  if (!found) throw new Problem("not_found", "Service account not found");
  const { user, projectRoles } = found;
  if (!user.enabled) throw new Problem("conflict", `The service account ${user.name} is disabled`);
  return { id: user.id, name: user.name, role: projectRoles ? highestRole(projectRoles) : user.role };
}
