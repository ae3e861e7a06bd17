import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "../db/client.ts";
import { captureLog } from "../test/captured-log.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { openPages } from "./open-pages.ts";
import { pageServices } from "./page-services.ts";

test("why a page's call failed is logged, unless the caller can do something about it", async () => {
  const lines = captureLog();
  openPages();
  const { createCaller, failureOf } = pageServices();
  const page = createCaller(await asAdmin());
  const missing = await page.dataSources.get({ id: 2_000_000_000 }).catch((error) => error);
  expect(failureOf(missing)).toBe("not-found");
  expect(lines).toEqual([]);

  await db.execute(sql`alter table table_scores rename to mislaid`);
  const bug = await page.dataQuality.overview({}).catch((error) => error);
  expect(failureOf(bug)).toBeNull();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    ...{ level: "error", msg: "A page's call failed", path: "dataQuality.overview" },
    err: { stack: expect.stringContaining("getOverview") },
  });
});
