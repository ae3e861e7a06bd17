import type { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import { policyProcedures } from "./policy-procedures.ts";
import {
  assignIncidentInput,
  changesSchema,
  commentOnIncidentInput,
  getIncidentInput,
  incidentDetailSchema,
  incidentFiguresInput,
  incidentFiguresSchema,
  incidentPageSchema,
  listIncidentsInput,
  resolveIncidentInput,
  silenceIncidentInput,
} from "./schema.ts";
import {
  acknowledgeIncident,
  assignIncident,
  commentOnIncident,
  listIncidentAssignees,
  resolveIncident,
  silenceIncident,
} from "./service/act-on-incident.ts";
import { incidentFigures } from "./service/figures.ts";
import { getIncident, listIncidents } from "./service/load-incidents.ts";
import { whatChanged } from "./service/what-changed.ts";
import { incidentsInText, toldIncidents } from "./tool-answers.ts";

const tag = "Incidents";
type Detail = z.output<typeof incidentDetailSchema>;
const titled = { audit: "incident", auditDetail: ({ title }: Detail) => title };

export const incidentsRouter = router({
  ...policyProcedures,

  list: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/incidents",
        tag,
        summary: "List incidents, worst current ones first",
        description:
          "An incident is what belongs together of what is wrong with subscriptions and contracts: the same table, the same data source at the same moment, or tables that a foreign key links. It opens and resolves by itself.",
      },
      tool: {
        name: "list_incidents",
        title: "Incidents",
        description: "What is wrong and belongs together, worst current ones first; why explains one.",
        annotations: { readOnlyHint: true },
        withoutArguments: ["assigneeId", "state", "subscriptionId", "contractId"],
        plainArguments: ["current", "search"],
        answer: toldIncidents,
        text: incidentsInText,
      },
    })
    .input(listIncidentsInput)
    .output(incidentPageSchema)
    .query(({ ctx, input }) => listIncidents(ctx, input)),

  figures: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/incident-figures",
        tag,
        summary: "How many incidents, and mean time to notice and to resolve",
      },
    })
    .input(incidentFiguresInput)
    .output(incidentFiguresSchema)
    .query(({ ctx, input }) => incidentFigures(ctx, input)),

  /** Users that an incident can be assigned to. */
  assignees: procedureFor("incidents:work")
    .output(listOf(userReference))
    .query(({ ctx }) => listIncidentAssignees(ctx)),

  get: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/incidents/{id}",
        tag,
        summary: "One incident with its problems and its timeline",
      },
    })
    .input(getIncidentInput)
    .output(incidentDetailSchema)
    .query(({ ctx, input: { id, most } }) => getIncident(ctx, id, most)),

  changes: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/incidents/{id}/changes",
        tag,
        summary: "What changed before an incident began, nearest first",
        description:
          "Of the two days before: events that were reported, versions of contracts and queries, changed columns, and problems of tables that its tables are made from.",
      },
    })
    .input(byId)
    .output(changesSchema)
    .query(({ ctx, input }) => whatChanged(ctx, input.id)),

  acknowledge: procedureFor("incidents:work")
    .meta({
      ...titled,
      rest: {
        method: "POST",
        path: "/incidents/{id}/acknowledge",
        tag,
        summary: "Acknowledge an incident, which assigns it to you if it is nobody's",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(incidentDetailSchema)
    .mutation(({ ctx, input }) => acknowledgeIncident(ctx, input.id)),

  assign: procedureFor("incidents:work")
    .meta({
      ...titled,
      rest: {
        method: "POST",
        path: "/incidents/{id}/assign",
        tag,
        summary: "Assign or unassign an incident",
        problems: ["conflict"],
      },
    })
    .input(assignIncidentInput)
    .output(incidentDetailSchema)
    .mutation(({ ctx, input }) => assignIncident(ctx, input)),

  silence: procedureFor("incidents:work")
    .meta({
      ...titled,
      rest: {
        method: "POST",
        path: "/incidents/{id}/silence",
        tag,
        summary: "Silence an incident and what has a problem in it until a given time, or end the silence",
        problems: ["conflict"],
      },
    })
    .input(silenceIncidentInput)
    .output(incidentDetailSchema)
    .mutation(({ ctx, input }) => silenceIncident(ctx, input)),

  resolve: procedureFor("incidents:work")
    .meta({
      ...titled,
      rest: {
        method: "POST",
        path: "/incidents/{id}/resolve",
        tag,
        summary: "Resolve an incident",
        description:
          "Problems that go on open no other incident until they have ended and come back. An incident whose problems have all ended is resolved automatically.",
        problems: ["conflict"],
      },
    })
    .input(resolveIncidentInput)
    .output(incidentDetailSchema)
    .mutation(({ ctx, input }) => resolveIncident(ctx, input)),

  comment: procedureFor("incidents:work")
    .meta({
      audit: "incident",
      auditDetail: () => "",
      rest: {
        method: "POST",
        path: "/incidents/{id}/comments",
        tag,
        summary: "Comment on an incident, in its timeline",
      },
    })
    .input(commentOnIncidentInput)
    .output(incidentDetailSchema)
    .mutation(({ ctx, input }) => commentOnIncident(ctx, input)),
});
