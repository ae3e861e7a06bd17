import type { z } from "zod";
import { untilWords } from "../audit/until-words.ts";
import { byId, startedOr } from "../db/schema-parts.ts";
import { editListSchema, listEditsInput } from "../edits/schema.ts";
import { procedureFor, router } from "../trpc.ts";
import {
  anomalyPageSchema,
  anomalySchema,
  backtestInput,
  backtestSchema,
  createSubscriptionInput,
  executionPageSchema,
  executionSchema,
  listAnomaliesInput,
  listExecutionsInput,
  listSubscriptionsInput,
  silenceSubscriptionInput,
  subscriptionPageSchema,
  subscriptionSchema,
  updateSubscriptionInput,
} from "./schema.ts";
import { acknowledgeAnomaly, listAnomalies } from "./service/anomalies.ts";
import { backtestSubscription } from "./service/backtest.ts";
import { executeNow, startExecution } from "./service/execute.ts";
import { getExecution, listExecutions } from "./service/executions.ts";
import { listSubscriptions } from "./service/list-subscriptions.ts";
import { listSubscriptionEdits } from "./service/subscription-edits.ts";
import {
  archiveSubscription,
  createSubscription,
  getSubscription,
  silenceSubscription,
  updateSubscription,
} from "./service/subscriptions.ts";

const tag = "Subscriptions";

const queryNameOf = ({ queryName }: { queryName: string }) => queryName;

export const subscriptionsRouter = router({
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
      auditDetail: queryNameOf,
      rest: {
        method: "POST",
        path: "/subscriptions",
        tag,
        summary: "Run a query on a schedule",
        description:
          "While the approval workflow is on, a query that nobody has approved does not run before an Admin has: the " +
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
      auditDetail: queryNameOf,
      rest: {
        method: "PUT",
        path: "/subscriptions/{id}",
        tag,
        summary: "Change a subscription",
        description:
          "Replaces the whole of it but its query; what is left out takes its default again. With `baseRevision` it is a 409 when somebody has edited the subscription since, which says who changed what.",
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
        summary: "Who changed what of a subscription, oldest first",
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
      },
    })
    .input(byId)
    .mutation(({ ctx, input }) => archiveSubscription(ctx, input.id)),

  silence: procedureFor("subscriptions:run")
    .meta({
      audit: "subscription",
      auditAction: ({ until }: z.input<typeof silenceSubscriptionInput>) =>
        until ? "subscriptions.silence" : "subscriptions.unsilence",
      auditDetail: ({ queryName, silencedUntil }: z.output<typeof subscriptionSchema>) =>
        untilWords(queryName, silencedUntil),
      rest: {
        method: "POST",
        path: "/subscriptions/{id}/silence",
        tag,
        summary: "Tell nobody of what it finds until a time, or end that",
      },
    })
    .input(silenceSubscriptionInput)
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
          "Answers 202 at once; the execution is found at `Location`. With `Prefer: wait` it answers 200 with the " +
          "execution when it has ended. A 409 while the query waits to be approved.",
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
        summary: "One execution; Created while it waits or runs",
      },
    })
    .input(byId)
    .output(executionSchema)
    .query(({ ctx, input }) => getExecution(ctx, input.id)),

  /** What another condition would have come to. */
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

  acknowledge: procedureFor("subscriptions:run")
    .meta({
      audit: "anomaly",
      auditDetail: queryNameOf,
      rest: {
        method: "POST",
        path: "/anomalies/{id}/acknowledge",
        tag: "Anomalies",
        summary: "Say that an anomaly has been seen",
      },
    })
    .input(byId)
    .output(anomalySchema)
    .mutation(({ ctx, input }) => acknowledgeAnomaly(ctx, input.id)),
});
