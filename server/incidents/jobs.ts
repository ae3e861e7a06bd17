import { cron } from "inngest";
import { inngest } from "../jobs/client.ts";
import { cronRetries } from "../jobs/retries.ts";
import { noticeIncidents } from "./service/notice.ts";
import { notifyIncidents } from "./service/notify-incidents.ts";
import { sendDigests } from "./service/send-digests.ts";

/** Opens, extends, and resolves incidents by what subscriptions and contracts say, and notifies by policy; to the minute. */
export const noticeIncidentsEachMinute = inngest.createFunction(
  { id: "notice-incidents", triggers: cron("* * * * *"), retries: cronRetries },
  async ({ step }) => {
    await step.run("notice", () => noticeIncidents());
    await step.run("notify", () => notifyIncidents());
    await step.run("digest", () => sendDigests());
  },
);
