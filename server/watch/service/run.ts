import { eq, sql } from "drizzle-orm";
import { asProblem } from "../../data-sources/source-problem.ts";
import { db } from "../../db/client.ts";
import { problemIn } from "../../errors.ts";
import { nextRun } from "../../jobs/cron.ts";
import { log } from "../../telemetry/log.ts";
import { watches } from "../tables.ts";
import { lookAt } from "./look.ts";
import { profileAll } from "./profile.ts";

/** When a data source is profiled: at one hour of each day. */
export const nightCron = (hour: number) => `0 ${hour} * * *`;

export type RanOrNot = { skipped: string } | { looked: true };

/** One look at a watched data source. What fails is said on its page, and tried again with the next look. */
export async function runLook(dataSourceId: number, at: Date): Promise<RanOrNot> {
  const watch = await find(dataSourceId);
  if (!watch) return { skipped: "It is not watched anymore" };
  const problem = await problemOf(dataSourceId, () => lookAt(watch, at));
  await db
    .update(watches)
    .set({ problem, ...(problem === null && { lastLookAt: at }) })
    .where(eq(watches.id, dataSourceId));
  return problem === null ? { looked: true } : { skipped: problem };
}

/** The day's profile, if its hour has come. */
export async function runProfile(dataSourceId: number, at: Date): Promise<RanOrNot> {
  const watch = await find(dataSourceId);
  if (!watch || watch.nextNightAt > at) return { skipped: "It is not due" };
  const problem = await problemOf(dataSourceId, () => profileAll(watch, watch.nextNightAt, at));
  const nextNightAt = nextRun(nightCron(watch.nightHour), watch.timezone, at);
  // One that failed is tried again with the next look, for the rest of its tables.
  await db
    .update(watches)
    .set({ problem, ...(problem === null && nextNightAt && { nextNightAt }) })
    .where(
      sql`${watches.id} = ${dataSourceId} and ${watches.nextNightAt} = ${watch.nextNightAt.toISOString()}::timestamptz`,
    );
  return problem === null ? { looked: true } : { skipped: problem };
}

const find = async (id: number) => (await db.select().from(watches).where(eq(watches.id, id)))[0];

/** The source's own problem in words; null if there was none. Throws anything else. */
async function problemOf(dataSourceId: number, work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const problem = problemIn(asProblem(error));
    if (problem === null) throw error;
    log.info({ err: error, dataSourceId }, "A watched data source could not be looked at; will retry");
    return problem.detail;
  }
}
