import { flag, list, optional, record, reference, required, text } from "./shape.mjs";

/** @param {{ role: string | null, projectRoles: any[] | null }} given */
const isAdmin = ({ role, projectRoles }) =>
  role === "Admin" || (projectRoles ?? []).some((each) => each?.role === "Admin");

/** The accounts, never their keys. Of no project. @type {import("./kinds.mjs").Kind} */
export const serviceAccounts = {
  ...{
    kind: "ServiceAccount",
    words: "service account",
    key: "serviceAccounts",
    path: "/service-accounts",
    role: "Admin",
  },
  isOfNoProject: true,
  file: () => "service-accounts",
  fields: {
    name: required(text),
    role: optional(text),
    projectRoles: optional(list(record({ project: required(reference("Project")), role: required(text) }))),
    enabled: optional(flag, true),
  },
  identity: ({ name }) => [name],
  check({ role, projectRoles }, report) {
    if (role != null && projectRoles != null)
      report(["projectRoles"], "projectRoles cannot be combined with role, which is for all projects");
    if (isAdmin({ role, projectRoles: Array.isArray(projectRoles) ? projectRoles : null }))
      report(
        [role === "Admin" ? "role" : "projectRoles"],
        "files cannot make an Admin: an Admin does that by hand",
      );
  },
  list: (api) => api.items("/service-accounts"),
  document: ({ name, role, projectRoles, enabled }, names) => ({
    ...{ name, enabled, role: projectRoles ? null : role },
    projectRoles:
      projectRoles?.map((/** @type {{ projectId: number, role: string }} */ each) => ({
        ...{ project: names("Project", each.projectId), role: each.role },
      })) ?? null,
  }),
  // Their order says nothing.
  tidy: ({ role, projectRoles, ...document }) => ({
    ...document,
    role: projectRoles === null ? (role ?? "Viewer") : null,
    projectRoles: projectRoles?.toSorted((a, b) => (a.project < b.project ? -1 : 1)) ?? null,
  }),
  request: ({ name, enabled, role, projectRoles }, id) => ({
    ...{ name, enabled },
    ...(projectRoles === null
      ? { role, projectRoles: null }
      : {
          projectRoles: projectRoles.map((/** @type {{ project: string, role: string }} */ each) => ({
            ...{ projectId: id("Project", each.project), role: each.role },
          })),
        }),
  }),
  // Nothing that had a key is forgotten: it is disabled, and no longer belongs to the stack.
  async remove(api, { id, name, enabled, role, projectRoles, revision }) {
    const access = projectRoles === null ? { role, projectRoles } : { projectRoles };
    const json = { name, enabled: false, ...access, baseRevision: revision };
    if (enabled) await api.send("PUT", `/service-accounts/${id}`, { json });
    await api.send("POST", "/stacks/take-over", { json: { kind: "ServiceAccount", id } });
  },
  isForeign: isAdmin,
  foreign: "has the role Admin, which files cannot give or take",
};
