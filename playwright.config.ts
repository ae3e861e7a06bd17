import { defineConfig, devices } from "@playwright/test";
import { sharedUrl } from "./e2e/shared-service.ts";

const longest = /(everybody|process|sessions|subscriptions)\.spec\.ts$/;

/** The journeys, in the Chromium that `npm test` found, against services that are started for them. */
export default defineConfig({
  testDir: "e2e",
  outputDir: ".test/playwright",
  globalSetup: "./e2e/global-setup.ts",
  // Files run side by side, the tests of a file one after the other. What two workers use is never the same. Journeys
  // wait for much of their time, so two cores have work for three.
  workers: 3,
  // The journeys that take longest begin first, so that no worker is left with one of them at the end.
  projects: [
    { name: "longest", testMatch: longest },
    { name: "others", testIgnore: longest },
  ],
  retries: 0,
  // Enough for a machine that is ten times slower than a usual one.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [["list"], ["json", { outputFile: ".test/playwright.json" }]],
  forbidOnly: Boolean(process.env.CI),
  use: {
    ...devices["Desktop Chrome"],
    baseURL: sharedUrl,
    // Nothing that a journey checks is in motion, and drawing what moves takes processor time.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // A trace lists steps and requests. With copies of the page at each step, the journeys would take a fifth more CPU;
    // when a test fails, a screenshot and a description of the page are kept in any case.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false },
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
