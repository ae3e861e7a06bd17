import type { ProjectRole, User } from "./schema.ts";

/** An audit entry's words about a user, with roles and whether they are disabled: changes of access can be found. */
export const accessDetail = ({
  name,
  role,
  projectRoles,
  enabled,
}: Pick<User, "name" | "role" | "projectRoles" | "enabled">) =>
  [name, projectRoles ? rolesInWords(projectRoles) : role, ...(enabled ? [] : ["disabled"])].join(", ");

const rolesInWords = (projectRoles: readonly ProjectRole[]) =>
  projectRoles.length === 0
    ? "in no project"
    : projectRoles.map((each) => `${each.role} in project ${each.projectId}`).join(", ");
