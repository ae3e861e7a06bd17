import { cron } from "inngest";
import { scanDue, scheduledScanKind } from "../data-sources/events.ts";
import { inngest } from "../jobs/client.ts";
import { cronRetries, maxRetries } from "../jobs/retries.ts";
import { ifClaimed } from "../jobs/schedules.ts";
import { recoverAbandonedScans, startDueScan } from "./service/scans.ts";

/**
 * Starts a scan that is due; it goes on in the background, and is recovered if its process dies. The result gives the
 * reason if it was skipped.
 */
export const startScheduledScan = inngest.createFunction(
  { id: "start-scan", triggers: scanDue, retries: maxRetries },
  ({ event, step, runId }) => {
    const { dataSourceId } = event.data;
    const occurrence = {
      ...{ kind: scheduledScanKind, objectId: dataSourceId },
      scheduledFor: new Date(event.data.scheduledFor),
    };
    return step.run("start", () => ifClaimed(occurrence, runId, () => startDueScan(dataSourceId)));
  },
);

/** Finishes, within some minutes, the scans that a process that died has left running. */
export const recoverScans = inngest.createFunction(
  { id: "recover-scans", triggers: cron("* * * * *"), retries: cronRetries },
  ({ step }) => step.run("recover", () => recoverAbandonedScans()),
);
