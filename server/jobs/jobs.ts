import { cron } from "inngest";
import { inngest } from "./client.ts";
import { removeOldHistory } from "./history.ts";

export const cleanJobs = inngest.createFunction(
  { id: "clean-jobs", triggers: cron("7 * * * *"), retries: 0 },
  ({ step }) => step.run("clean", () => removeOldHistory()),
);
