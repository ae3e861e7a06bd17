import { cron } from "inngest";
import { inngest } from "../jobs/client.ts";
import { cronRetries } from "../jobs/retries.ts";
import { sendPersonalDigests } from "./service/send-personal-digests.ts";

/** Sends people their daily digests, to the minute. */
export const sendPersonalDigestsEachMinute = inngest.createFunction(
  { id: "send-personal-digests", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("send", () => sendPersonalDigests()),
);
