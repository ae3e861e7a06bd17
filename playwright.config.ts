import { defineConfig, devices } from "@playwright/test";

/** The journeys, in the Chromium that `npm test` found, against a service that is started for them. */
export default defineConfig({
  testDir: "e2e",
  outputDir: ".test/playwright",
  globalSetup: "./e2e/global-setup.ts",
  // One service, one database: the journeys take turns.
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json", { outputFile: ".test/playwright.json" }]],
  forbidOnly: Boolean(process.env.CI),
  use: {
    ...devices["Desktop Chrome"],
    baseURL: process.env.E2E_URL,
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
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
