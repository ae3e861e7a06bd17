import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "@playwright/test";
import { type Api, signIn } from "../e2e/api.ts";
import { admin, scratch, startService } from "../e2e/service.ts";
import { findChromium } from "./find-chromium.ts";
import { smallPicture } from "./small-picture.ts";

/**
 * `npm run screenshots`: takes the images in docs/images from a service that was started on a new data folder and has
 * loaded its demo. Sizes, theme, language and time zone are fixed and nothing is animated, so runs only differ in what
 * the demo derives from the time of day.
 */
const root = join(import.meta.dirname, "..");
const images = join(root, "docs/images");
const size = { width: 1280, height: 800 };

type Theme = "light" | "dark";
type Shot = { name: string; path: string; theme?: Theme; prepare?: (page: Page) => Promise<unknown> };

const shots: Shot[] = [
  { name: "findings", path: "/findings" },
  { name: "control-tower", path: "/control-tower" },
  { name: "control-tower-dark", path: "/control-tower", theme: "dark" },
  { name: "subscription", path: "/control-tower", prepare: openCrews },
  { name: "failing-rows", path: "/data-quality/contracts", prepare: unfoldRule },
  { name: "fix", path: "/data-quality/contracts", prepare: tryAnotherPattern },
  { name: "connect", path: "/connect" },
  { name: "plan", path: "/ai-actors", prepare: reviewPlan },
];

async function openCrews(page: Page): Promise<void> {
  await page.getByText("Crews without rest").click();
  await page.getByRole("button", { name: "Run now" }).waitFor();
}

async function openAirports(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Airports: reference data" }).first().click();
  await page.getByRole("button", { name: "Evaluate now" }).waitFor();
}

async function unfoldRule(page: Page): Promise<void> {
  await openAirports(page);
  const rule = page.getByText("Code has three letters").first();
  await rule.click();
  await page.getByText("Failing rows").last().waitFor();
  await scrollTo(rule, 120);
}

async function tryAnotherPattern(page: Page): Promise<void> {
  await openAirports(page);
  await page.getByRole("link", { name: "Edit" }).click();
  const rule = page.getByText("Code has three letters").first();
  await rule.click();
  await page.getByRole("textbox", { name: "Pattern" }).fill("^[A-Z0-9]{3,4}$");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText("Would pass").waitFor();
  await scrollTo(rule, 160);
}

async function reviewPlan(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Review" }).first().click();
  await page.getByRole("button", { name: "Approve" }).waitFor();
}

/** Scrolls until an element is this many pixels below the top of the window. */
async function scrollTo(what: Locator, below: number): Promise<void> {
  await what.evaluate((element, distance) => {
    window.scrollBy({ top: element.getBoundingClientRect().top - distance, behavior: "instant" });
  }, below);
}

async function takeShots(browser: Browser, url: string): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      ...{ baseURL: url, viewport: size, colorScheme: theme, reducedMotion: "reduce" },
      ...{ locale: "en-GB", timezoneId: "UTC" },
    });
    const page = await context.newPage();
    await enter(page);
    for (const shot of shots.filter((each) => (each.theme ?? "light") === theme)) await take(page, shot);
    await context.close();
  }
}

async function enter(page: Page): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByRole("textbox", { name: "Password" }).fill(admin.password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/control-tower");
}

async function take(page: Page, { name, path, prepare }: Shot): Promise<void> {
  await page.goto(path);
  await prepare?.(page);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
  // A pointer over a row would highlight it.
  await page.mouse.move(size.width - 1, size.height - 1);
  const shown = await page.screenshot({ animations: "disabled", caret: "hide" });
  const picture = await smallPicture(name, shown);
  writeFileSync(join(images, `${name}.png`), picture);
  process.stdout.write(`docs/images/${name}.png ${Math.round(picture.length / 1000)} kB\n`);
}

/** The demo's actor and its scan run in the background, and the images show the plan and the findings. */
async function backgroundWorkIsDone(api: Api): Promise<void> {
  type Items<Item> = { items: Item[] };
  for (let tries = 0; tries < 120; tries += 1) {
    const actors = (await api("GET", "/ai-actors")).body as Items<{ pendingPlanCount: number }>;
    const scans = (await api("GET", "/data-quality/findings/scans")).body as Items<{ status: string }>;
    const isPlanned = actors.items.some(({ pendingPlanCount }) => pendingPlanCount > 0);
    if (isPlanned && scans.items.some(({ status }) => status === "Completed")) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("The demo's plan and findings are not there within a minute");
}

const executablePath = findChromium();
if (!executablePath) throw new Error("The pictures need Chromium: install it, or set CHROMIUM_PATH to it");
const dataDir = join(scratch, "screenshots");
rmSync(dataDir, { recursive: true, force: true });
mkdirSync(images, { recursive: true });
// One of the images shows the address, so it is the one that `npm start` would use.
const service = await startService(dataDir, { PORT: process.env.PORT ?? "3000", DEMO: "on" });
try {
  await backgroundWorkIsDone(await signIn(service.url));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  await takeShots(browser, service.url);
  await browser.close();
} finally {
  await service.stop();
}
