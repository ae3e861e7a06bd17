import { cron } from "inngest";
import { inngest } from "./client.ts";
import { removeOldHistory } from "./history.ts";
import { cronRetries } from "./retries.ts";

export const cleanJobs = inngest.createFunction(
  { id: "clean-jobs", triggers: cron("7 * * * *"), retries: cronRetries },
  ({ step }) => step.run("clean", () => removeOldHistory()),
);
