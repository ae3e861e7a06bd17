import type { ProjectRole, Role } from "@/server/auth/schema.ts";

/** What a user may do, as a form holds it: a role everywhere, or one in each of some projects. */
export type AccessValues = {
  isLimited: boolean;
  role: Role;
  /** By project; projects that are not listed are out of reach. */
  projectRoles: ProjectRole[];
};

export function accessValues(user?: { role: Role; projectRoles: ProjectRole[] | null }): AccessValues {
  return {
    isLimited: user ? user.projectRoles !== null : false,
    role: user?.role ?? "Viewer",
    projectRoles: user?.projectRoles ?? [],
  };
}

/** What is sent: the limit is always mentioned, so that it is never lifted by leaving it out. */
export const accessWrite = ({ isLimited, role, projectRoles }: AccessValues) =>
  isLimited ? { projectRoles } : { role, projectRoles: null };
