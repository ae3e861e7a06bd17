import { cron } from "inngest";
import { inngest } from "../jobs/client.ts";
import { cronRetries } from "../jobs/retries.ts";
import { noticeIncidents } from "./service/notice.ts";

/** Opens, extends, and resolves incidents by what subscriptions and contracts say, to the minute. */
export const noticeIncidentsEachMinute = inngest.createFunction(
  { id: "notice-incidents", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("notice", () => noticeIncidents()),
);
