import { cron } from "inngest";
import { inngest } from "../jobs/client.ts";
import { cronRetries } from "../jobs/retries.ts";
import { deliveryDue } from "./events.ts";
import { limits } from "./limits.ts";
import { attemptDelivery } from "./service/deliver.ts";
import { dropAttachments } from "./service/drop-attachments.ts";
import { queueDueDeliveries } from "./service/queue-due.ts";

/**
 * One attempt at a delivery, and at what is due to the same receiver after it. The tick retries temporary failures, not this
 * job's retries.
 */
export const deliverNotification = inngest.createFunction(
  { id: "deliver-notification", triggers: deliveryDue, retries: 1 },
  ({ event, step }) => step.run("deliver", () => attemptDelivery(event.data.deliveryId, limits.turnMs)),
);

/** Picks up, within about a minute, deliveries that are due again or were left behind by a dead process. */
export const queueDeliveries = inngest.createFunction(
  { id: "queue-deliveries", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("queue", () => queueDueDeliveries()),
);

export const cleanAttachments = inngest.createFunction(
  { id: "clean-attachments", triggers: cron("23 * * * *"), retries: cronRetries },
  ({ step }) => step.run("clean", () => dropAttachments()),
);
