import { byId } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import {
  createWindowInput,
  listWindowsInput,
  updateWindowInput,
  windowSchema,
  windowsSchema,
} from "./schema.ts";
import { createWindow, endWindow, getWindow, listWindows, removeWindow, updateWindow } from "./service.ts";

const tag = "Incidents";

/** Maintenance windows. */
export const maintenanceRouter = router({
  list: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/maintenance-windows", tag, summary: "List maintenance windows" } })
    .input(listWindowsInput)
    .output(windowsSchema)
    .query(({ ctx, input }) => listWindows(ctx, input)),

  get: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/maintenance-windows/{id}", tag, summary: "One maintenance window" },
    })
    .input(byId)
    .output(windowSchema)
    .query(({ ctx, input }) => getWindow(ctx, input.id)),

  create: procedureFor("incidents:configure")
    .meta({
      audit: "maintenanceWindow",
      rest: {
        method: "POST",
        path: "/maintenance-windows",
        tag,
        summary: "Create a maintenance window",
        description:
          "While it lasts, nobody is notified about what reads its data sources, or, with `tags`, tables that have one of them. Everything runs and is recorded. Once: `startsAt` and `endsAt`. Repeated: `cronExpression`, `durationMinutes`, and `timezone`.",
        status: 201,
        problems: ["not_found"],
      },
    })
    .input(createWindowInput)
    .output(windowSchema)
    .mutation(({ ctx, input }) => createWindow(ctx, input)),

  update: procedureFor("incidents:configure")
    .meta({
      audit: "maintenanceWindow",
      rest: {
        method: "PUT",
        path: "/maintenance-windows/{id}",
        tag,
        summary: "Update a maintenance window",
        problems: ["conflict"],
      },
    })
    .input(updateWindowInput)
    .output(windowSchema)
    .mutation(({ ctx, input }) => updateWindow(ctx, input)),

  end: procedureFor("incidents:configure")
    .meta({
      audit: "maintenanceWindow",
      rest: {
        method: "POST",
        path: "/maintenance-windows/{id}/end",
        tag,
        summary: "End a current maintenance window early; one that repeats comes again",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(windowSchema)
    .mutation(({ ctx, input }) => endWindow(ctx, input.id)),

  remove: procedureFor("incidents:configure")
    .meta({
      audit: "maintenanceWindow",
      auditDetail: (result: { name: string }) => result.name,
      rest: {
        method: "DELETE",
        path: "/maintenance-windows/{id}",
        tag,
        summary: "Remove a maintenance window",
        status: 204,
        problems: ["conflict"],
      },
    })
    .input(byId)
    .mutation(({ ctx, input }) => removeWindow(ctx, input.id)),
});
