import { defineSchedule } from "../jobs/schedules.ts";
import { scanDue, scheduledScanKind } from "./events.ts";
import { scanSchedules } from "./tables.ts";

export const scanSchedule = defineSchedule({
  kind: scheduledScanKind,
  table: scanSchedules,
  event: ({ objectId, scheduledFor }) =>
    scanDue.create({ dataSourceId: objectId, scheduledFor: scheduledFor.toISOString() }),
});
