import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import {
  type ProjectMember,
  projectInput,
  projectMemberSchema,
  projectSchema,
  removeMemberInput,
  setMemberInput,
  updateProjectInput,
} from "./schema.ts";
import {
  createProject,
  deleteProject,
  getProject,
  listProjectMembers,
  listProjects,
  removeProjectMember,
  setProjectMember,
  updateProject,
} from "./service.ts";

const tag = "Projects";

export const projectsRouter = router({
  list: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/projects", tag, summary: "List projects" } })
    .output(listOf(projectSchema))
    .query(({ ctx }) => listProjects(ctx)),

  get: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/projects/{id}", tag, summary: "One project" } })
    .input(byId)
    .output(projectSchema)
    .query(({ ctx, input }) => getProject(ctx, input.id)),

  create: procedureFor("projects:create")
    .meta({
      audit: "project",
      rest: { method: "POST", path: "/projects", tag, summary: "Create a project", status: 201 },
    })
    .input(projectInput)
    .output(projectSchema)
    .mutation(({ ctx, input }) => createProject(input, ctx)),

  update: procedureFor("projects:manage")
    .meta({
      audit: "project",
      rest: {
        method: "PUT",
        path: "/projects/{id}",
        tag,
        summary: "Update a project",
        problems: ["conflict"],
      },
    })
    .input(updateProjectInput)
    .output(projectSchema)
    .mutation(({ ctx, input }) => updateProject(ctx, input)),

  delete: procedureFor("projects:manage")
    .meta({
      audit: "project",
      rest: {
        method: "DELETE",
        path: "/projects/{id}",
        tag,
        summary: "Delete a project",
        status: 204,
        problems: ["conflict"],
      },
    })
    .input(byId)
    .mutation(({ ctx, input }) => deleteProject(ctx, input.id)),

  members: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/projects/{id}/members",
        tag,
        summary: "List who has access to a project",
        description: "Enabled users with access to all projects, and those who are limited to some, by name.",
      },
    })
    .input(byId)
    .output(listOf(projectMemberSchema))
    .query(({ ctx, input }) => listProjectMembers(ctx, input.id)),

  setMember: procedureFor("users:manage")
    .meta({
      audit: "project",
      auditDetail: ({ user, role }: ProjectMember) => `${user.name}: ${role}`,
      rest: {
        method: "PUT",
        path: "/projects/{id}/members/{userId}",
        tag,
        summary: "Give a user who is limited to projects a role in this one",
        description:
          "Takes effect on the user's next request, by session or key. A user with access to all projects has to be " +
          "limited first (409). An API key cannot make anyone an Admin (403), unless `KEYS_MAY_MAKE_ADMINS` is on.",
        problems: ["conflict", "rejected"],
      },
    })
    .input(setMemberInput)
    .output(projectMemberSchema)
    .mutation(({ ctx, input }) => setProjectMember(ctx, input)),

  removeMember: procedureFor("users:manage")
    .meta({
      audit: "project",
      auditDetail: ({ name }: { name: string }) => name,
      rest: {
        method: "DELETE",
        path: "/projects/{id}/members/{userId}",
        tag,
        summary: "End a user's membership in a project",
        description:
          "Takes effect on the next request, by session or key: the user no longer sees the project. Their other memberships stay.",
        status: 204,
        problems: ["conflict", "rejected"],
      },
    })
    .input(removeMemberInput)
    .mutation(({ ctx, input }) => removeProjectMember(ctx, input)),
});
