import { cron } from "inngest";
import { inngest } from "../jobs/client.ts";
import { cronRetries } from "../jobs/retries.ts";
import { recordClearProjects } from "./service/record-clear.ts";

/** Records since when nothing needs attention, to the minute. */
export const recordAllClear = inngest.createFunction(
  { id: "record-all-clear", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("record", () => recordClearProjects()),
);
