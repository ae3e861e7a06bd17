import { eq, inArray } from "drizzle-orm";
import type { Connection, Transaction } from "../../../db/client.ts";
import { env } from "../../../env.ts";
import { highestRole } from "../../permissions.ts";
import type { Context } from "../../principal.ts";
import { type Access, accessBy, noAccess, storeAccess } from "../../service/store-access.ts";
import { scimGroupMembers, scimGroups, scimUsers } from "../../tables.ts";
import { groupsDecide } from "../groups-decide.ts";
import { ScimError } from "../scim-error.ts";

/** What the groups of a pushed user give; none of them, nothing. null for others, and if groups do not decide. */
export async function accessByScim(connection: Connection, userId: number): Promise<Access | null> {
  if (!groupsDecide()) return null;
  const rows = await connection
    .select({ group: scimGroups.displayName })
    .from(scimUsers)
    .leftJoin(scimGroupMembers, eq(scimGroupMembers.userId, scimUsers.userId))
    .leftJoin(scimGroups, eq(scimGroups.id, scimGroupMembers.groupId))
    .where(eq(scimUsers.userId, userId));
  if (rows.length === 0) return null;
  const held = new Set(rows.map(({ group }) => group));
  const { SCIM_ROLES: roles = [], SCIM_PROJECT_ROLES: inProjects = [] } = env();
  const given = roles.filter(({ value }) => held.has(value));
  const projectRoles = inProjects.filter(({ value }) => held.has(value));
  const role = given.length > 0 ? highestRole(given) : null;
  return (await accessBy({ role, projectRoles }, "SCIM_PROJECT_ROLES")) ?? noAccess;
}

/** Applies the groups of these users to their access. Throws mutability if the last Admin would lose theirs. */
export async function applyGroups(
  tx: Transaction,
  userIds: readonly number[],
  record: NonNullable<Context["record"]>,
): Promise<void> {
  for (const id of [...new Set(userIds)].sort((a, b) => a - b)) {
    const access = await accessByScim(tx, id);
    if (access && (await storeAccess(tx, id, access, { record, by: "SCIM" })) === "LastAdmin")
      throw new ScimError(409, "The last enabled Admin cannot lose this role", "mutability");
  }
}

/** The pushed users among these IDs; an ID is text in SCIM. */
export async function findPushed(tx: Connection, ids: readonly string[]): Promise<number[]> {
  const numbers = ids.filter((id) => /^[1-9]\d{0,8}$/.test(id)).map(Number);
  if (numbers.length === 0) return [];
  const rows = await tx
    .select({ id: scimUsers.userId })
    .from(scimUsers)
    .where(inArray(scimUsers.userId, numbers));
  return rows.map(({ id }) => id);
}
