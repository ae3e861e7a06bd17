import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { prepareFolder } from "./data-folders.ts";
import { type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** The first user of a new service: sets it up, leaves, and comes back. */
const dataDir = join(scratch, "people");
const ada = { name: "Ada Lovelace", email: "ada@example.com", password: "analytical engine" };
test.describe.configure({ mode: "serial" });

let service: Service;
let page: Page;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  service = await startService(dataDir, { ADMIN_EMAIL: "", ADMIN_PASSWORD: "" });
  page = await browser.newPage({ baseURL: service.url });
});

test.afterAll(async () => {
  expect(await service.stop()).toBe(0);
});

const enter = async (password: string) => {
  await page.getByLabel("Email").fill(ada.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
};

test("before there are users every page redirects to /setup, which shows errors beside their fields", async () => {
  for (const path of ["/", "/data-quality", "/sign-in", "/projects"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/setup$/);
  }
  await page.getByLabel("Your name").fill(ada.name);
  await page.getByLabel("Email").fill(ada.email);
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: /create|set up/i }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(/at least 10/i);
});

test("the first user becomes Admin and is signed in", async () => {
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: /create|set up/i }).click();
  await expect(page).toHaveURL(/\/home/);
  await expect(page.getByRole("button", { name: /Ada Lovelace/ })).toContainText("Admin");
  const session = (await page.context().cookies()).find(({ name }) => name.includes("session-token"));
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax" });
});

test("signing out ends the session; after signing in again, the requested page opens", async () => {
  await page.getByRole("button", { name: /Ada Lovelace/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto("/recipients");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await enter("not the password");
  await expect(page.getByText("The email address or password is incorrect.")).toBeVisible();
  await enter(ada.password);
  await expect(page).toHaveURL(/\/recipients/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Recipients");
});

test("/setup is no longer available", async () => {
  await page.goto("/setup");
  await expect(page).not.toHaveURL(/\/setup/);
});
