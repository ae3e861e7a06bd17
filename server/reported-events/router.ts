import { byId } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import {
  listReportedInput,
  openLineageInput,
  reportedEventSchema,
  reportedPageSchema,
  reportInput,
} from "./schema.ts";
import { listReported, removeReported, reportEvent, reportRun } from "./service.ts";

const tag = "Events";

/** What others report about the data, to explain what goes wrong. */
export const reportedEventsRouter = router({
  list: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/events", tag, summary: "List reported events, latest first" } })
    .input(listReportedInput)
    .output(reportedPageSchema)
    .query(({ ctx, input }) => listReported(ctx, input)),

  report: procedureFor("events:report")
    .meta({
      audit: "reportedEvent",
      rest: {
        method: "POST",
        path: "/events",
        tag,
        summary: "Report a deployment, a load, or another event",
        description: "An incident's page names what was reported about its tables before it.",
        status: 201,
        problems: ["not_found", "rejected"],
      },
    })
    .input(reportInput)
    .output(reportedEventSchema)
    .mutation(({ ctx, input }) => reportEvent(ctx, input)),

  openLineage: procedureFor("events:report")
    .meta({
      audit: "reportedEvent",
      rest: {
        method: "POST",
        path: "/openlineage/{projectId}",
        tag,
        summary: "Take a run event of OpenLineage, as its clients send it",
        description:
          "For their HTTP transport: `url` is this service's address, `endpoint` is `svc/api/openlineage/1`, and `auth` an API key. Datasets are told apart by the server and database of their namespace and name.",
        status: 201,
        problems: ["not_found"],
      },
    })
    .input(openLineageInput)
    .output(reportedEventSchema)
    .mutation(({ ctx, input }) => reportRun(ctx, input)),

  remove: procedureFor("events:report")
    .meta({
      audit: "reportedEvent",
      auditDetail: (result: { name: string }) => result.name,
      rest: { method: "DELETE", path: "/events/{id}", tag, summary: "Remove a reported event", status: 204 },
    })
    .input(byId)
    .mutation(({ ctx, input }) => removeReported(ctx, input.id)),
});
