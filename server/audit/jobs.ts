import { cron } from "inngest";
import { inngest } from "../jobs/client.ts";
import { removeOldEntries } from "./service.ts";

export const cleanAudit = inngest.createFunction(
  { id: "clean-audit", triggers: cron("53 * * * *"), retries: 0 },
  ({ step }) => step.run("clean", () => removeOldEntries()),
);
