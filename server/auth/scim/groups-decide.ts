import { env } from "../../env.ts";

/** Whether the groups that are pushed here decide what pushed users may do; otherwise Admins do. */
export function groupsDecide(): boolean {
  const { SCIM_TOKEN, SCIM_ROLES, SCIM_PROJECT_ROLES } = env();
  return SCIM_TOKEN !== undefined && Boolean(SCIM_ROLES ?? SCIM_PROJECT_ROLES);
}
