import { cron } from "inngest";
import { inngest } from "../jobs/client.ts";
import { batchSize, inBatches } from "../jobs/in-batches.ts";
import { cronRetries } from "../jobs/retries.ts";
import { removeOldHistory } from "./service/history.ts";

export const cleanQueryHistory = inngest.createFunction(
  { id: "clean-query-history", triggers: cron("27 * * * *"), retries: cronRetries },
  ({ step }) =>
    step.run("clean", () =>
      inBatches(async () => {
        const removed = await removeOldHistory(batchSize);
        return { removed, isLast: removed < batchSize };
      }),
    ),
);
