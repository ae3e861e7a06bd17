import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db } from "../db/client.ts";
import { runDue } from "../jobs/schedules.ts";
import { contractSchedule } from "./jobs.ts";
import { contracts } from "./tables.ts";

afterAll(closeSources);

test("a process whose first query of contracts is the tick's can read all of their columns afterwards", async () => {
  await runDue(contractSchedule);
  expect(await db.select().from(contracts).where(sql`${contracts.archivedAt} is null`)).toEqual([]);
});
