import { cron } from "inngest";
import { inngest } from "../jobs/client.ts";
import { cronRetries } from "../jobs/retries.ts";
import { removeOldEvents } from "./service.ts";

export const cleanReportedEvents = inngest.createFunction(
  { id: "clean-reported-events", triggers: cron("53 4 * * *"), retries: cronRetries },
  ({ step }) => step.run("clean", () => removeOldEvents()),
);
