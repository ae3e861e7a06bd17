import { cron } from "inngest";
import { inngest } from "../jobs/client.ts";
import { cronRetries } from "../jobs/retries.ts";
import { removeOldEntries } from "./service.ts";

export const cleanAudit = inngest.createFunction(
  { id: "clean-audit", triggers: cron("53 * * * *"), retries: cronRetries },
  ({ step }) => step.run("clean", () => removeOldEntries()),
);
