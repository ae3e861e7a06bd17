import { cron } from "inngest";
import { perSource } from "../data-sources/per-source.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries, maxRetries } from "../jobs/retries.ts";
import { defineSchedule, ifClaimed } from "../jobs/schedules.ts";
import { deliveryFailed } from "../notifications/events.ts";
import { subscriptionDue } from "./events.ts";
import { scheduleKind } from "./schema.ts";
import { executeDueSubscription, recoverAbandonedExecutions } from "./service/execute.ts";
import { firstSourcesOf } from "./service/first-sources.ts";
import { watchFailedDelivery, watchSubscriptions } from "./service/incidents.ts";
import { removeOldCounts, removeOldExecutions, removeOldRows } from "./service/remove-old.ts";
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

/** Executes a subscription that is due. The result gives the reason if it was skipped. */
export const runSubscription = inngest.createFunction(
  { id: "run-subscription", triggers: subscriptionDue, retries: maxRetries, concurrency: perSource },
  ({ event, step, runId }) => {
    const { subscriptionId } = event.data;
    const scheduledFor = new Date(event.data.scheduledFor);
    const occurrence = { kind: scheduleKind, objectId: subscriptionId, scheduledFor };
    return step.run("execute", () =>
      ifClaimed(occurrence, runId, () => executeDueSubscription(subscriptionId, scheduledFor)),
    );
  },
);

/** Finishes executions of processes that died, within about a minute. */
export const recoverExecutions = inngest.createFunction(
  { id: "recover-executions", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("recover", () => recoverAbandonedExecutions()),
);

/** Opens incidents for stalled subscriptions and closes those that are over. */
export const detectIncidents = inngest.createFunction(
  { id: "watch-subscriptions", triggers: cron("*/5 * * * *"), retries: cronRetries },
  ({ step }) => step.run("watch", () => watchSubscriptions()),
);

/** A notification of an execution failed: tells the people responsible for the subscription. */
export const watchDeliveries = inngest.createFunction(
  { id: "watch-deliveries", triggers: deliveryFailed, retries: maxRetries },
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
    await step.run("clean-rows", () => removeOldRows());
  },
);
