import { cron } from "inngest";
import { removeOldSessions } from "../auth/service/end-sessions.ts";
import { inngest } from "./client.ts";
import { removeOldHistory } from "./history.ts";
import { batchSize, inBatches } from "./in-batches.ts";
import { cronRetries } from "./retries.ts";

export const cleanJobs = inngest.createFunction(
  { id: "clean-jobs", triggers: cron("7 * * * *"), retries: cronRetries },
  ({ step }) => step.run("clean", () => removeOldHistory()),
);

export const cleanSessions = inngest.createFunction(
  { id: "clean-sessions", triggers: cron("17 * * * *"), retries: cronRetries },
  ({ step }) =>
    step.run("clean", () =>
      inBatches(async () => {
        const removed = await removeOldSessions(batchSize);
        return { removed, isLast: removed < batchSize };
      }),
    ),
);
