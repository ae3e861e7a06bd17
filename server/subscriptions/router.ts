import type { z } from "zod";
import { untilWords } from "../audit/until-words.ts";
import { byId, listOf, startedOr } from "../db/schema-parts.ts";
import { editListSchema, listEditsInput } from "../edits/schema.ts";
import { silenceInput } from "../notifications/silence.ts";
import { procedureFor, router } from "../trpc.ts";
import { bulkProcedures } from "./bulk-procedures.ts";
import {
  anomalyPageSchema,
  anomalySchema,
  backtestInput,
  backtestSchema,
  createSubscriptionInput,
  executionPageSchema,
  executionRowsInput,
  executionRowsSchema,
  executionSchema,
  incidentSchema,
  listAnomaliesInput,
  listExecutionsInput,
  listSubscriptionsInput,
  recentValuesInput,
  recentValuesSchema,
  subscriptionPageSchema,
  subscriptionSchema,
  updateSubscriptionInput,
} from "./schema.ts";
import { acknowledgeAnomaly, getAnomaly, listAnomalies } from "./service/anomalies.ts";
import { backtestSubscription } from "./service/backtest.ts";
import { executeNow, startExecution } from "./service/execute.ts";
import { getExecutionRows } from "./service/execution-rows.ts";
import { getExecution, listExecutions } from "./service/executions.ts";
import { listIncidents } from "./service/incident-history.ts";
import { listSubscriptions } from "./service/list-subscriptions.ts";
import { listRecentValues } from "./service/recent-values.ts";
import { listSubscriptionEdits } from "./service/subscription-edits.ts";
import {
  archiveSubscription,
  createSubscription,
  getSubscription,
  silenceSubscription,
  updateSubscription,
} from "./service/subscriptions.ts";

const tag = "Subscriptions";

const titleOf = ({ title }: { title: string }) => title;

export const subscriptionsRouter = router({
  ...bulkProcedures,

  list: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/subscriptions", tag, summary: "List subscriptions" } })
    .input(listSubscriptionsInput)
    .output(subscriptionPageSchema)
    .query(({ ctx, input }) => listSubscriptions(ctx, input)),

  get: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/subscriptions/{id}", tag, summary: "One subscription" } })
    .input(byId)
    .output(subscriptionSchema)
    .query(({ ctx, input }) => getSubscription(ctx, input.id)),

  create: procedureFor("subscriptions:configure")
    .meta({
      audit: "subscription",
      auditDetail: titleOf,
      rest: {
        method: "POST",
        path: "/subscriptions",
        tag,
        summary: "Run a query on a schedule",
        description:
          "With the approval workflow on, a query that is not approved does not run until an Admin approves it: the " +
          "subscription then has an `approval`.",
        status: 201,
        problems: ["not_found"],
      },
    })
    .input(createSubscriptionInput)
    .output(subscriptionSchema)
    .mutation(({ ctx, input }) => createSubscription(ctx, input)),

  update: procedureFor("subscriptions:configure")
    .meta({
      audit: "subscription",
      auditDetail: titleOf,
      rest: {
        method: "PUT",
        path: "/subscriptions/{id}",
        tag,
        summary: "Update a subscription",
        description:
          "Replaces everything except its query; omitted fields return to their defaults. With `baseRevision`, the response is a 409 that says who changed what if someone has edited the subscription since.",
        problems: ["conflict"],
      },
    })
    .input(updateSubscriptionInput)
    .output(subscriptionSchema)
    .mutation(({ ctx, input }) => updateSubscription(ctx, input)),

  edits: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/subscriptions/{id}/edits",
        tag,
        summary: "Who changed what in a subscription, oldest first",
        description: "The latest 100 edits are kept.",
      },
    })
    .input(listEditsInput)
    .output(editListSchema)
    .query(({ ctx, input }) => listSubscriptionEdits(ctx, input)),

  archive: procedureFor("subscriptions:configure")
    .meta({
      audit: "subscription",
      rest: {
        method: "DELETE",
        path: "/subscriptions/{id}",
        tag,
        summary: "Archive a subscription and unschedule it",
        status: 204,
        problems: ["conflict"],
      },
    })
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      await archiveSubscription(ctx, input.id);
    }),

  silence: procedureFor("subscriptions:run")
    .meta({
      audit: "subscription",
      auditAction: ({ until }: z.input<typeof silenceInput>) =>
        until ? "subscriptions.silence" : "subscriptions.unsilence",
      auditDetail: ({ title, silencedUntil }: z.output<typeof subscriptionSchema>) =>
        untilWords(title, silencedUntil),
      rest: {
        method: "POST",
        path: "/subscriptions/{id}/silence",
        tag,
        summary: "Silence a subscription until a given time, or end the silence",
        problems: ["conflict"],
      },
    })
    .input(silenceInput)
    .output(subscriptionSchema)
    .mutation(({ ctx, input }) => silenceSubscription(ctx, input)),

  execute: procedureFor("subscriptions:run")
    .meta({
      audit: "subscription",
      auditAs: "preparedChange",
      auditDetail: () => "",
      rest: {
        method: "POST",
        path: "/subscriptions/{id}/execute",
        tag,
        summary: "Run a subscription now",
        description:
          "Returns 202 immediately with the execution at `Location`. With `Prefer: wait`, returns 200 with the " +
          "execution when it ends. Returns 409 while the query is pending approval.",
        started: "/executions",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(startedOr(executionSchema))
    .mutation(({ ctx, input }) =>
      ctx.prefer === "wait" ? executeNow(ctx, input.id) : startExecution(ctx, input.id),
    ),

  executions: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/subscriptions/{id}/executions",
        tag,
        summary: "A subscription's executions, newest first",
      },
    })
    .input(listExecutionsInput)
    .output(executionPageSchema)
    .query(({ ctx, input }) => listExecutions(ctx, input)),

  execution: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/executions/{id}",
        tag,
        summary: "One execution; Created while it is waiting or running",
      },
    })
    .input(byId)
    .output(executionSchema)
    .query(({ ctx, input }) => getExecution(ctx, input.id)),

  executionRows: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/subscriptions/{id}/executions/{executionId}/rows",
        tag,
        summary: "The first rows of an execution, and what is new or gone since the one before",
        description:
          "Up to 20 rows, masked, kept for 30 days. Rows are compared as a whole, among the first 1,000 of each execution. 404 if none were kept.",
        problems: ["not_found"],
      },
    })
    .input(executionRowsInput)
    .output(executionRowsSchema)
    .query(({ ctx, input }) => getExecutionRows(ctx, input)),

  incidents: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/subscriptions/{id}/incidents",
        tag,
        summary: "When a subscription could not do its work, newest first",
        description: "The latest 100, with those that are open.",
      },
    })
    .input(byId)
    .output(listOf(incidentSchema))
    .query(({ ctx, input }) => listIncidents(ctx, input.id)),

  /** For the small charts of a page of subscriptions, in one query. */
  recentValues: procedureFor("everything:read")
    .input(recentValuesInput)
    .output(listOf(recentValuesSchema))
    .query(({ ctx, input }) => listRecentValues(ctx, input.ids)),

  /** Backtests another condition. */
  backtest: procedureFor("everything:read")
    .input(backtestInput)
    .output(backtestSchema)
    .query(({ ctx, input }) => backtestSubscription(ctx, input)),
});

export const anomaliesRouter = router({
  list: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/anomalies", tag: "Anomalies", summary: "List anomalies, newest first" },
    })
    .input(listAnomaliesInput)
    .output(anomalyPageSchema)
    .query(({ ctx, input }) => listAnomalies(ctx, input)),

  get: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/anomalies/{id}", tag: "Anomalies", summary: "One anomaly" } })
    .input(byId)
    .output(anomalySchema)
    .query(({ ctx, input }) => getAnomaly(ctx, input.id)),

  acknowledge: procedureFor("subscriptions:run")
    .meta({
      audit: "anomaly",
      auditDetail: titleOf,
      rest: {
        method: "POST",
        path: "/anomalies/{id}/acknowledge",
        tag: "Anomalies",
        summary: "Acknowledge an anomaly",
      },
    })
    .input(byId)
    .output(anomalySchema)
    .mutation(({ ctx, input }) => acknowledgeAnomaly(ctx, input.id)),
});
