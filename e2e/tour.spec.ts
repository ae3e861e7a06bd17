import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { prepareFolder } from "./data-folders.ts";
import { openAs } from "./enter.ts";
import { type Service, scratch, startService } from "./service.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/** Someone takes the tour of the demo, from Home to the end, and finds what it says at each step. */
const dataDir = join(scratch, "tour");

test.describe.configure({ mode: "serial" });

let service: Service;
let page: Page;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir, "demo");
  service = await startService(dataDir, { DEMO: "on" });
  const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
  await openAs(page, `${service.url}/home`);
});
test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
});

const bar = () => page.getByRole("region", { name: "Tour of the demo" });
const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });

/** Presses the bar's button, and waits for the page of the next step. */
async function next(title: string, shown: string): Promise<void> {
  await bar()
    .getByRole("link", { name: `Next: ${title}` })
    .click();
  await expect(bar()).toContainText(title);
  await expect(heading(shown)).toBeVisible();
}

test("Home offers the tour, which begins with what is wrong", async () => {
  await expect(bar()).toContainText("6 steps on live data");
  await expectAccessible(page);
  await bar().getByRole("link", { name: "Start the tour" }).click();
  await expect(bar()).toContainText("Step 1 of 6");
  await expect(heading("Findings")).toBeVisible();
  await expectAccessible(page);
});

test("it goes on where it was left", async () => {
  await next("See what runs", "Control Tower");
  await page.reload();
  await expect(bar()).toContainText("Step 2 of 6");
  await expect(page.getByRole("row").filter({ hasText: "Critical" })).toHaveCount(1);
  await page.goto("/tasks");
  await expect(bar()).toContainText("Step 2 of 6");
});

test("a score is understood and its rule fixed, with the figures that the tour says", async () => {
  await next("Understand a score", "Airports: reference data");
  await expect(page.getByText("53.83", { exact: true }).first()).toBeVisible();
  await next("Fix the rule", "Edit Airports: reference data");
  await page.getByText("Code has three letters", { exact: true }).first().click();
  await page.getByRole("textbox", { name: "Pattern" }).fill("^[A-Z0-9]{3,4}$");
  await page.getByRole("button", { name: "Try it" }).click();
  await expect(page.getByText("Would pass")).toBeVisible();
  await page.getByRole("button", { name: "Save and evaluate" }).click();
  await expect(heading("Airports: reference data")).toBeVisible();
  await expect(page.getByText("76.90", { exact: true }).first()).toBeVisible();
});

test("an assistant is connected, a plan reviewed, and the tour is over", async () => {
  await next("Connect an assistant", "Connect an assistant");
  await next("Approve a plan", "Initial setup");
  await expect(page.getByRole("region", { name: "Decision" })).toContainText("run one by one");
  await bar().getByRole("link", { name: "Finish" }).click();
  await expect(heading("Home")).toBeVisible();
  await expect(bar()).toHaveCount(0);
  await page.reload();
  await expect(heading("Home")).toBeVisible();
  await expect(bar()).toHaveCount(0);
});

test("its own page has a button for each step", async () => {
  await page.goto("/tour");
  const steps = page.getByRole("main").getByRole("listitem");
  await expect(steps.getByRole("link")).toHaveText([
    ...["Open findings", "Open Control Tower", "Open the contract", "Edit the contract"],
    ...["Connect an assistant", "Open the plan"],
  ]);
  await steps.getByRole("link", { name: "Open Control Tower" }).click();
  await expect(heading("Control Tower")).toBeVisible();
  await bar().getByRole("link", { name: "Step 2 of 6" }).click();
  await expect(heading("Tour of the demo")).toBeVisible();
  await expect(steps.nth(1)).toContainText("You are here");
  await bar().getByRole("button", { name: "End tour" }).click();
  await expect(bar()).toHaveCount(0);
});

test("without the demo there is no tour", async ({ browser }) => {
  const other = await browser.newPage({ baseURL: sharedUrl });
  await openAs(other, `${sharedUrl}/tour`);
  await expect(other.getByText("There is no demo here")).toBeVisible();
  await other.goto("/home");
  await expect(other.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  await expect(other.getByRole("region", { name: "Tour of the demo" })).toHaveCount(0);
  await other.close();
});
