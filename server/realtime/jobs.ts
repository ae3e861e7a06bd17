import { RetryAfterError } from "inngest";
import { inngest } from "../jobs/client.ts";
import { sendToExternal } from "./external.ts";
import { hubEventSent } from "./outgoing.ts";
import { outcomeOf } from "./service.ts";

/**
 * Hands an event on to the configured Pusher-compatible service, one user after another, when what it tells of has
 * been committed. One that was rolled back tells of nothing.
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
