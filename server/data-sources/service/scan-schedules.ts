import { eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { nextRun } from "../../jobs/cron.ts";
import { databaseNow } from "../../jobs/schedules.ts";
import type { ScanSchedule } from "../schema.ts";
import { scanSchedules } from "../tables.ts";

/**
 * Stores when a data source is scanned on its own: null for never, undefined for no change. An unchanged schedule keeps
 * its next run, also one that is due.
 */
export async function saveScanSchedule(id: number, schedule: ScanSchedule | null | undefined): Promise<void> {
  if (schedule === undefined) return;
  if (schedule === null) {
    await db.delete(scanSchedules).where(eq(scanSchedules.id, id));
    return;
  }
  const [stored] = await db.select().from(scanSchedules).where(eq(scanSchedules.id, id)).for("update");
  const { cronExpression, timezone } = schedule;
  if (stored?.cronExpression === cronExpression && stored.timezone === timezone && stored.nextRunAt) return;
  const nextRunAt = nextRun(cronExpression, timezone, await databaseNow(db));
  const columns = { cronExpression, timezone, nextRunAt };
  await db
    .insert(scanSchedules)
    .values({ id, ...columns })
    .onConflictDoUpdate({ target: scanSchedules.id, set: columns });
}

/** Whether a data source is scanned on its own; false if it is gone. */
export const isScanScheduled = async (id: number) =>
  (await db.$count(scanSchedules, eq(scanSchedules.id, id))) > 0;
