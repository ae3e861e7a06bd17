import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import postgres from "postgres";
import { sessionCookie } from "../e2e/api.ts";
import { buildLongLists } from "../e2e/long-lists.ts";
import { type Service, scratch, startService } from "../e2e/service.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { cookiesOf, openBrowser } from "./browsing/browser.ts";
import { moveTo } from "./browsing/moving.ts";
import { scroll } from "./browsing/scrolling.ts";
import { emptyDatabase, givenOrOwnServer } from "./database.ts";
import { median, percentile, type Say } from "./measure.ts";

/**
 * How the console feels, in a Chromium on this machine: scrolling through lists of TABLES (10,000) at 60 frames a second,
 * and moving between the pages of the navigation without a moment in which nothing is shown.
 *
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started. ROUNDS (3) is how often each is
 * measured.
 */
const tables = Number(process.env.TABLES ?? 10_000);
const rounds = Number(process.env.ROUNDS ?? 3);

export async function run(say: Say): Promise<void> {
  const browser = await openBrowser();
  if (!browser) return say("There is no Chromium on this machine");
  const server = await givenOrOwnServer("bench-browsing");
  try {
    const database = await emptyDatabase(server.adminUrl, "plumbline_bench_browsing");
    await migrateDatabase(database);
    const client = postgres(database, { max: 1, onnotice: () => {} });
    await buildLongLists(client, tables);
    await client.end();
    const folder = join(scratch, "bench-browsing-data");
    rmSync(folder, { recursive: true, force: true });
    const service = await startService(folder, {
      ...{ DATABASE_URL: database, RATE_LIMIT_PRINCIPAL: "off", JOBS: "off" },
      ...{ ENCRYPTION_KEY: "11".repeat(32), NEXTAUTH_SECRET: "a secret of the benchmark's, 32+ characters" },
    });
    try {
      await measure(say, browser, service);
    } finally {
      await service.stop();
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

const lists = {
  [`an incident of ${tables} tables`]: "/incidents/1",
  [`the scores of ${tables} tables`]: "/data-quality",
};
const row = "main tbody tr:not([aria-hidden])";

async function measure(say: Say, browser: Browser, service: Service): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies(cookiesOf(await sessionCookie(service.url), service.url));
  const page = await context.newPage();
  // Incidents are noticed when someone looks.
  await page.goto(`${service.url}/incidents`);
  await page.getByRole("link", { name: /have problems/ }).waitFor();
  say("Scrolling by 200 pixels per frame\n");
  say(
    "| list | seconds until it is there | elements | frames per second | p95 of a frame, ms | frames with missing rows |",
  );
  say("|---|---|---|---|---|---|");
  for (const [name, path] of Object.entries(lists)) await sayScroll(say, page, name, `${service.url}${path}`);
  await sayMoves(say, page, service.url);
  await context.close();
}

async function sayScroll(say: Say, page: Page, name: string, url: string): Promise<void> {
  const seconds: number[] = [];
  const frames: number[] = [];
  let blank = 0;
  let elements = 0;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    await page.waitForSelector(row);
    seconds.push((performance.now() - began) / 1000);
    await page.waitForLoadState("networkidle");
    const all = page.getByRole("button", { name: /^Show all/ });
    if (await all.isVisible()) {
      await all.click();
      // The rest is asked for.
      await all.waitFor({ state: "hidden" });
    }
    elements = await page.evaluate(() => document.querySelectorAll("*").length);
    const scrolled = await scroll(page, row);
    frames.push(...scrolled.frames);
    blank += scrolled.blank;
  }
  const perSecond = 1000 / (frames.reduce((sum, ms) => sum + ms, 0) / frames.length);
  say(
    `| ${name} | ${median(seconds).toFixed(1)} | ${elements.toLocaleString("en")} | ${perSecond.toFixed(0)} | ${percentile(frames, 0.95).toFixed(1)} | ${blank} of ${frames.length} |`,
  );
}

async function sayMoves(say: Say, page: Page, url: string): Promise<void> {
  await page.goto(`${url}/control-tower`);
  await page.waitForLoadState("networkidle");
  const links = await page
    .locator("nav a[href^='/']")
    .evaluateAll((all) => [...new Set(all.map((each) => (each as HTMLAnchorElement).pathname))])
    // The reference of the REST API has no navigation to go on from.
    .then((all) => all.filter((href) => !href.startsWith("/docs/")));
  const [ms, blank]: [number[], number[]] = [[], []];
  let worst = { ms: 0, href: "" };
  for (let round = 0; round < rounds; round += 1)
    for (const href of links) {
      if (new URL(page.url()).pathname === href) continue;
      const moved = await moveTo(page, href);
      ms.push(moved.ms);
      blank.push(moved.blankMs);
      if (moved.ms > worst.ms) worst = { ms: moved.ms, href };
      await page.waitForLoadState("networkidle");
    }
  say(
    `\nMoving between ${links.length} pages, ${ms.length} times: there after ${median(ms).toFixed(0)} ms, p95 ${percentile(ms, 0.95).toFixed(0)}, most ${worst.ms.toFixed(0)} (${worst.href}); nothing was shown for ${Math.max(...blank).toFixed(0)} ms at most`,
  );
}
