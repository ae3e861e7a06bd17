import { RetryAfterError } from "inngest";
import { inngest } from "../jobs/client.ts";
import { sendToExternal } from "./external.ts";
import { hubEventSent } from "./outgoing.ts";
import { outcomeOf } from "./service.ts";

/**
 * Forwards an event to the configured Pusher-compatible service, one user at a time, once its transaction has
 * committed. Events of rolled-back transactions are dropped.
 */
export const forwardHubEvent = inngest.createFunction(
  { id: "forward-hub-event", triggers: hubEventSent, retries: 5 },
  async ({ event, step }) => {
    const { userIds, name, data, transaction } = event.data;
    const outcome = await step.run("await-commit", async () => {
      const now = await outcomeOf(transaction);
      if (now === "in progress") throw new RetryAfterError("Not committed yet", "1s");
      return now;
    });
    if (outcome === "aborted") return;
    for (const id of userIds) await step.run(`send-to-${id}`, () => sendToExternal(id, name, data));
  },
);
