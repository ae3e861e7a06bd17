import { cron } from "inngest";
import { removeExpiredCounts } from "../auth/service/remove-expired-counts.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries } from "../jobs/retries.ts";
import { removeOldEntries } from "./service.ts";

export const cleanAudit = inngest.createFunction(
  { id: "clean-audit", triggers: cron("53 * * * *"), retries: cronRetries },
  async ({ step }) => {
    await step.run("clean", () => removeOldEntries());
    await step.run("clean sign-in counts", () => removeExpiredCounts());
  },
);
