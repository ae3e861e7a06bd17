import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { sessionCookie, signIn } from "../../e2e/api.ts";
import { scratch, startService } from "../../e2e/service.ts";
import { cookiesOf, openBrowser } from "../browsing/browser.ts";
import { median, type Say } from "../measure.ts";

/**
 * How long a page takes to respond on a phone: opened for the first time in a browser with a processor four times slower
 * than this one's, over slow 4G as Lighthouse has it. A page responds once React has taken over the named element.
 */
const slow4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6e6 / 8) * 0.9,
  uploadThroughput: (750e3 / 8) * 0.9,
};
const slowdown = 4;
const rounds = Number(process.env.ROUNDS ?? 5);

const pages = [
  { path: "/control-tower", element: "main input[type=search]", goal: 4 },
  { path: "/data-quality/contracts/1/edit", element: "main form input", goal: null },
  { path: "/queries/1", element: "main button", goal: null },
];

export async function onAPhone(say: Say): Promise<void> {
  const browser = await openBrowser();
  if (!browser) return say("\nWithout a Chromium, it is not measured when pages respond.");
  const folder = join(scratch, "bench-pages");
  rmSync(folder, { recursive: true, force: true });
  const service = await startService(folder, { DEMO: "on" });
  try {
    await demoIsLoaded(service.url);
    const cookie = await sessionCookie(service.url);
    say(
      `\nSeconds until a page responds, on a phone and slow 4G: median of ${rounds}\n\n| page | seconds | goal |\n|---|---|---|`,
    );
    for (const { path, element, goal } of pages) {
      const figures: number[] = [];
      // The first is left out: the service loads a page when it is first asked for it.
      for (let round = 0; round <= rounds; round += 1)
        figures.push(await secondsUntilItResponds(browser, { url: service.url, path, element, cookie }));
      const seconds = median(figures.slice(1));
      say(
        `| ${path} | ${seconds.toFixed(1)} | ${goal === null ? "" : `${goal}${seconds <= goal ? "" : ": missed"}`} |`,
      );
    }
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function secondsUntilItResponds(
  browser: Browser,
  { url, path, element, cookie }: { url: string; path: string; element: string; cookie: string },
): Promise<number> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  try {
    await context.addCookies(cookiesOf(cookie, url));
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send("Network.enable");
    await devTools.send("Network.emulateNetworkConditions", slow4G);
    await devTools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    await page.goto(`${url}${path}`, { waitUntil: "commit" });
    const taken = await page.waitForFunction(
      (selector) => {
        const found = document.querySelector(selector);
        const isAlive = found && Object.keys(found).some((key) => key.startsWith("__reactProps"));
        return isAlive ? performance.now() : null;
      },
      element,
      { polling: "raf", timeout: 60_000 },
    );
    return Number(await taken.jsonValue()) / 1000;
  } finally {
    await context.close();
  }
}

async function demoIsLoaded(url: string): Promise<void> {
  const api = await signIn(url);
  for (let tries = 0; tries < 240; tries += 1) {
    const { body } = await api("GET", "/data-quality/contracts");
    const { items } = body as { items: { lastScore: number | null }[] };
    if (items.length > 0 && (await api("GET", "/queries/1")).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("The demo is not there within two minutes");
}
