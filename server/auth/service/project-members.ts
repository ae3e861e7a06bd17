import { and, eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { rejectAdminByKey } from "../admin-by-key.ts";
import type { SignedIn } from "../principal.ts";
import type { Role } from "../schema.ts";
import { projectMembers } from "../tables.ts";
import { rejectManaged } from "./managed-access.ts";
import { announceAccess } from "./project-roles.ts";
import { lockUser } from "./users.ts";

/**
 * Gives a user who is limited to projects a role in one more, or another role in it. Throws not_found for an unknown user,
 * conflict for one with access to all projects, rejected for one whose access the identity provider decides, and forbidden if a key would make someone an Admin of it.
 */
export async function setMember(
  { principal }: SignedIn,
  { projectId, userId, role }: { projectId: number; userId: number; role: Role },
) {
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    await rejectManaged(tx, userId);
    if (!user.limitedToProjects)
      throw new Problem("conflict", `${user.name} has access to all projects: limit them to projects first`);
    const isIt = and(eq(projectMembers.userId, userId), eq(projectMembers.projectId, projectId));
    const [former] = await tx.select().from(projectMembers).where(isIt);
    if (role === "Admin" && former?.role !== "Admin") rejectAdminByKey(principal);
    await tx
      .insert(projectMembers)
      .values({ userId, projectId, role })
      .onConflictDoUpdate({ target: [projectMembers.userId, projectMembers.projectId], set: { role } });
    await announceAccess(tx, userId);
    return { user: { id: user.id, name: user.name }, kind: user.kind, role, isMember: true, managedBy: null };
  });
}

/**
 * Ends a membership: the user no longer sees the project, from the next request of their sessions and keys on. Returns who
 * it was. Throws not_found if they are not a member, and rejected like `setMember`.
 */
export async function removeMember({ projectId, userId }: { projectId: number; userId: number }) {
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    await rejectManaged(tx, userId);
    const removed = await tx
      .delete(projectMembers)
      .where(and(eq(projectMembers.userId, userId), eq(projectMembers.projectId, projectId)))
      .returning({ userId: projectMembers.userId });
    if (removed.length === 0) throw new Problem("not_found", `${user.name} is not a member of this project`);
    await announceAccess(tx, userId);
    return { name: user.name };
  });
}
