import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import { projectInput, projectSchema, updateProjectInput } from "./schema.ts";
import { createProject, deleteProject, getProject, listProjects, updateProject } from "./service.ts";

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
    .mutation(({ input }) => createProject(input)),

  update: procedureFor("projects:manage")
    .meta({
      audit: "project",
      rest: { method: "PUT", path: "/projects/{id}", tag, summary: "Update a project" },
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
});
