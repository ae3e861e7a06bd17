import { cron } from "inngest";
import { perSource } from "../data-sources/per-source.ts";
import { db } from "../db/client.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries, mostRetries } from "../jobs/retries.ts";
import { claimOccurrence, defineSchedule } from "../jobs/schedules.ts";
import { deliveryFailed } from "../notifications/events.ts";
import { subscriptionDue } from "./events.ts";
import { scheduleKind } from "./schema.ts";
import { executeDueSubscription, recoverAbandonedExecutions } from "./service/execute.ts";
import { firstSourcesOf } from "./service/first-sources.ts";
import { watchFailedDelivery, watchSubscriptions } from "./service/incidents.ts";
import { removeOldCounts, removeOldExecutions } from "./service/remove-old.ts";
import { subscriptions } from "./tables.ts";

export const subscriptionSchedule = defineSchedule({
  kind: scheduleKind,
  table: subscriptions,
  sources: firstSourcesOf,
  event: ({ objectId, scheduledFor, dataSourceId }) =>
    subscriptionDue.create({
      subscriptionId: objectId,
      scheduledFor: scheduledFor.toISOString(),
      dataSourceId,
    }),
});

/** Executes a subscription whose time has come. The answer says why when it was not. */
export const runSubscription = inngest.createFunction(
  { id: "run-subscription", triggers: subscriptionDue, retries: mostRetries, concurrency: perSource },
  async ({ event, step, runId }) => {
    const { subscriptionId } = event.data;
    const scheduledFor = new Date(event.data.scheduledFor);
    const isMine = await step.run("claim", () =>
      claimOccurrence(db, { kind: scheduleKind, objectId: subscriptionId, scheduledFor }, runId),
    );
    if (!isMine) return { skipped: "Another run has claimed this time" };
    return step.run("execute", () => executeDueSubscription(subscriptionId, scheduledFor));
  },
);

/** Finishes, within a minute or so, what a process that died has left running. */
export const recoverExecutions = inngest.createFunction(
  { id: "recover-executions", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("recover", () => recoverAbandonedExecutions()),
);

/** Finds subscriptions that have stalled, and what of it is over. */
export const watchTheWatchers = inngest.createFunction(
  { id: "watch-subscriptions", triggers: cron("*/5 * * * *"), retries: cronRetries },
  ({ step }) => step.run("watch", () => watchSubscriptions()),
);

/** Somebody could not be told of an execution: whoever looks after the subscription is. */
export const watchDeliveries = inngest.createFunction(
  { id: "watch-deliveries", triggers: deliveryFailed, retries: mostRetries },
  async ({ event, step }) => {
    const { causeKind, causeId } = event.data;
    if (causeKind !== "Execution") return;
    await step.run("watch", () => watchFailedDelivery(causeId));
  },
);

export const cleanExecutions = inngest.createFunction(
  { id: "clean-executions", triggers: cron("13 * * * *"), retries: cronRetries },
  async ({ step }) => {
    await step.run("clean-executions", () => removeOldExecutions());
    await step.run("clean-counts", () => removeOldCounts());
  },
);
