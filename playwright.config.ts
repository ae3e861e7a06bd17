import { defineConfig, devices } from "@playwright/test";
import { sharedUrl } from "./e2e/shared-service.ts";

/** The journeys, in the Chromium that `npm test` found, against services that are started for them. */
export default defineConfig({
  testDir: "e2e",
  outputDir: ".test/playwright",
  globalSetup: "./e2e/global-setup.ts",
  // Files run side by side, the tests of a file one after the other. What two workers use is never the same.
  workers: 2,
  retries: 0,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["json", { outputFile: ".test/playwright.json" }]],
  forbidOnly: Boolean(process.env.CI),
  use: {
    ...devices["Desktop Chrome"],
    baseURL: sharedUrl,
    screenshot: "only-on-failure",
    // Pictures of every moment take half as long again as the journeys themselves; one of the failure is kept anyway.
    trace: { mode: "retain-on-failure", screenshots: false },
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
