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
  // As few connections as are allowed are enough.
  service = await startService(dataDir, { ADMIN_EMAIL: "", ADMIN_PASSWORD: "", DATABASE_POOL: "2" });
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

test("someone limited to a project sees it alone; its members are changed on its page", async ({
  browser,
}) => {
  const grace = { name: "Grace Hopper", email: "grace@example.com", password: "a compiler on a ship" };
  await page.goto("/projects");
  for (const name of ["Sales", "Secret"]) {
    await page.getByRole("button", { name: "New project" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Create project" }).click();
    await expect(page.getByRole("row", { name: new RegExp(name) })).toBeVisible();
  }

  await page.goto("/users");
  await page.getByRole("button", { name: "New user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(grace.name);
  await dialog.getByLabel("Email").fill(grace.email);
  await dialog.getByRole("radio", { name: /Only these projects/ }).click();
  await dialog.getByLabel("Role in Sales").click();
  await page.getByRole("option", { name: "Editor" }).click();
  await dialog.getByLabel("Password", { exact: true }).fill(grace.password);
  await dialog.getByRole("button", { name: "Create user" }).click();
  await expect(page.getByRole("row", { name: /Grace Hopper/ })).toContainText("Editor in Sales");

  const context = await browser.newContext({ baseURL: service.url });
  const other = await context.newPage();
  await other.goto("/projects");
  await other.getByLabel("Email").fill(grace.email);
  await other.getByLabel("Password", { exact: true }).fill(grace.password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other.getByRole("row", { name: /Sales/ })).toBeVisible();
  await expect(other.getByText("Secret")).toHaveCount(0);
  const navigation = other.getByRole("navigation").first();
  await expect(navigation.getByRole("link", { name: "API keys" })).toBeVisible();
  for (const name of ["Users", "Jobs", "Audit", "Settings"])
    await expect(navigation.getByRole("link", { name, exact: true })).toHaveCount(0);
  await other.goto("/users");
  await expect(other.getByText("Your role does not allow this")).toBeVisible();
  await other.goto("/api-keys");
  await other.getByRole("button", { name: "New API key" }).first().click();
  await expect(other.getByRole("checkbox", { name: "Sales" })).toBeChecked();

  // A page that is open shows at once what became visible.
  await other.goto("/projects");
  await expect(other.getByRole("row", { name: /Sales/ })).toBeVisible();
  await page.goto("/projects");
  await page.getByRole("button", { name: "Actions for Secret" }).click();
  await page.getByRole("menuitem", { name: "Members" }).click();
  await dialog.getByLabel("Person to add").click();
  await page.getByRole("option", { name: /Grace Hopper/ }).click();
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(dialog.getByLabel("Role of Grace Hopper")).toBeVisible();
  await expect(other.getByRole("row", { name: /Secret/ })).toBeVisible();
  await dialog.getByRole("button", { name: "Remove Grace Hopper from the project" }).click();
  await expect(dialog.getByText(/Nobody is limited/)).toBeVisible();
  await expect(other.getByText("Secret")).toHaveCount(0);
  await context.close();
});

test("a service account's key is created, works, and stops while the account is disabled", async () => {
  await page.goto("/service-accounts");
  await page.getByRole("button", { name: "New service account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Nightly pipeline");
  await dialog.getByRole("radio", { name: /Editor/ }).click();
  await dialog.getByRole("button", { name: "Create service account" }).click();

  // Without a key it is of no use, so that comes next.
  await expect(dialog).toContainText("calls the service as “Nightly pipeline”");
  await expect(dialog.getByRole("radio", { name: /^Admin/ })).toHaveCount(0);
  await dialog.getByLabel("Name").fill("CI");
  await dialog.getByRole("radio", { name: /^Execute/ }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const rawKey = (await page.getByRole("status", { name: "API key" }).textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have stored the key" }).click();
  const status = async () =>
    (await fetch(`${service.url}/svc/api/projects`, { headers: { authorization: `Bearer ${rawKey}` } }))
      .status;
  expect(await status()).toBe(200);
  const row = page.getByRole("row", { name: /Nightly pipeline/ });
  // Right away, and not with the next refresh of the list, which comes every 30 s.
  await expect(row.getByRole("cell", { name: "1", exact: true })).toBeVisible({ timeout: 15_000 });

  await row.getByRole("button", { name: "Actions for Nightly pipeline" }).click();
  await page.getByRole("menuitem", { name: "API keys" }).click();
  await expect(page).toHaveURL(/\/api-keys\?whose=\d+/);
  await expect(page.getByRole("row", { name: /CI.*Service account ?Nightly pipeline/ })).toBeVisible();
  await expect(page.getByRole("button", { name: "Rotate CI" })).toBeVisible();

  await page.getByRole("button", { name: "New API key" }).click();
  await expect(dialog.getByRole("radio", { name: /^Admin/ })).toBeVisible();
  await dialog.getByLabel("Owner").click();
  await page.getByRole("option", { name: "Nightly pipeline" }).click();
  await expect(dialog.getByRole("radio", { name: /^Admin/ })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await page.goto("/service-accounts");
  await row.getByRole("button", { name: "Actions for Nightly pipeline" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await expect(page.getByRole("alertdialog").or(dialog)).toContainText("1 API key stops working: “CI”.");
  await page.getByRole("button", { name: "Disable service account" }).click();
  await expect(row).toContainText("Disabled");
  expect(await status()).toBe(401);

  await page.goto("/api-keys");
  await page.getByRole("button", { name: "New API key" }).click();
  // Disabled accounts are not offered.
  await expect(dialog.getByLabel("Owner")).toHaveCount(0);
});
