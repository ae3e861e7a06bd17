import { cron } from "inngest";
import { removeExpiredCounts } from "../auth/service/remove-expired-counts.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries } from "../jobs/retries.ts";
import { exportEntries } from "./service/export-entries.ts";
import { removeOld } from "./service/remove-old.ts";
import { sealChain } from "./service/seal-chain.ts";

/** Adds new entries to the chain each minute, and sends them on. */
export const chainAudit = inngest.createFunction(
  { id: "chain-audit", triggers: cron("* * * * *"), retries: cronRetries },
  async ({ step }) => {
    await step.run("seal", () => sealChain());
    await step.run("export", () => exportEntries());
  },
);

export const cleanAudit = inngest.createFunction(
  { id: "clean-audit", triggers: cron("53 * * * *"), retries: cronRetries },
  async ({ step }) => {
    await step.run("clean", () => removeOld());
    await step.run("clean sign-in counts", () => removeExpiredCounts());
  },
);
