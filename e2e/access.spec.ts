import { expect, type Page } from "@playwright/test";
import { enter } from "./enter.ts";
import { admin } from "./service.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/** An Admin creates a user, who creates a key; the Admin disables both again, and the audit log shows all of it. */
const url = sharedUrl;
const editor = { name: "Grace Hopper", email: "grace@example.com" };

test.describe.configure({ mode: "serial" });

let adminPage: Page;
let editorPage: Page;
let password: string;
let rawKey: string;

test.beforeAll(async ({ browser }) => {
  const newPage = async () =>
    (
      await browser.newContext({ baseURL: url, permissions: ["clipboard-read", "clipboard-write"] })
    ).newPage();
  [adminPage, editorPage] = await Promise.all([newPage(), newPage()]);
});

test.afterAll(async () => {
  await Promise.all([adminPage, editorPage].map((page) => page?.context().close()));
});

async function signIn(page: Page, path: string, person: { email: string; password: string }): Promise<void> {
  await enter(page, path, person);
  await expect(page).toHaveURL(new RegExp(`${path}$`));
}

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

const withKey = (method: string, path: string) =>
  fetch(`${url}/svc/api${path}`, { method, headers: { authorization: `Bearer ${rawKey}` } });

test("an Admin creates an Editor, with a generated password", async () => {
  await signIn(adminPage, "/users", admin);
  await adminPage.getByRole("button", { name: "New user" }).click();
  const dialog = adminPage.getByRole("dialog", { name: "New user" });
  await dialog.getByLabel("Name").fill(editor.name);
  await dialog.getByLabel("Email").fill(editor.email);
  await dialog.getByRole("radio", { name: "Editor" }).click();
  await dialog.getByRole("button", { name: "Generate" }).click();
  password = await dialog.getByLabel("Password").inputValue();
  await dialog.getByRole("button", { name: "Create user" }).click();
  await expect(dialog).toBeHidden();
  await expect(adminPage.getByRole("row", { name: editor.name })).toContainText("Editor");
});

test("the last Admin cannot remove their own Admin role, and sees why", async () => {
  await adminPage.getByRole("row", { name: /you/ }).click();
  const dialog = adminPage.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Viewer" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("The last enabled Admin");
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

test("the Editor sees no Admin pages, and none of their content by URL", async () => {
  await signIn(editorPage, "/api-keys", { email: editor.email, password });
  const pages = editorPage.getByRole("navigation", { name: "Pages" });
  await expect(pages.getByRole("link", { name: "API keys" })).toBeVisible();
  for (const name of ["Users", "Audit"]) await expect(pages.getByRole("link", { name })).toHaveCount(0);
  for (const path of ["/users", "/audit"]) {
    await editorPage.goto(path);
    await expect(editorPage.getByText("Your role does not allow this")).toBeVisible();
    await expect(editorPage.getByRole("main")).not.toContainText(admin.email);
  }
});

test("the Editor creates a key, whose dialog cannot be closed by accident", async () => {
  await editorPage.goto("/projects");
  await editorPage.getByRole("link", { name: "API keys" }).click();
  await editorPage.getByRole("button", { name: "New API key" }).click();
  const form = editorPage.getByRole("dialog", { name: "New API key" });
  await form.getByLabel("Name").fill("Nightly pipeline");
  await expect(form.getByRole("radio", { name: "Execute" })).toBeVisible();
  // Exceeds the role, so it is not offered.
  await expect(form.getByRole("radio", { name: "Admin" })).toHaveCount(0);
  await form.getByRole("radio", { name: "Read" }).click();
  await form.getByRole("button", { name: "Create key" }).click();

  const stored = editorPage.getByRole("button", { name: "I have stored the key" });
  await expect(stored).toBeVisible();
  await editorPage.keyboard.press("Escape");
  await editorPage.keyboard.press("Control+k");
  await editorPage.mouse.click(4, 4);
  await editorPage.evaluate(() => history.back());
  const asked = editorPage.waitForEvent("dialog");
  const leaving = editorPage.goto("/users").catch(() => "stayed");
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  expect(await leaving).toBe("stayed");
  await expect(stored).toBeVisible();
  await expect(editorPage).toHaveURL(/\/api-keys$/);

  const dialog = editorPage.getByRole("dialog");
  await dialog.getByRole("button", { name: "Copy" }).first().click();
  rawKey = await copied(editorPage);
  expect(rawKey).toMatch(/^sk-svc_[A-Za-z0-9_-]{43}$/);
  await expect(dialog.getByRole("region", { name: "In a shell" })).toContainText(`Bearer ${rawKey}`);
  await dialog.getByRole("tab", { name: "CI" }).click();
  await expect(dialog.getByRole("tabpanel")).toContainText("secrets.PLUMBLINE_API_KEY");
  await stored.click();
  await expect(dialog).toBeHidden();
});

test("the key stays in the list without its secret", async () => {
  const row = editorPage.getByRole("row", { name: /Nightly pipeline/ });
  await expect(row).toContainText(`${rawKey.slice(0, 16)}…`);
  await expect(row).toContainText("Active");
  await editorPage.reload();
  await expect(row).toBeVisible();
  expect(await editorPage.content()).not.toContain(rawKey);
});

test("the key can read but not run anything", async () => {
  expect((await withKey("GET", "/projects")).status).toBe(200);
  expect((await withKey("POST", "/data-quality/contracts/1/evaluate")).status).toBe(403);
  await expect(async () => {
    await editorPage.reload();
    await expect(editorPage.getByRole("row", { name: /Nightly pipeline/ })).not.toContainText("Never");
  }).toPass();
});

test("disabling the Editor says what stops, and stops it: the session at the next click, the key at once", async () => {
  await adminPage.getByRole("button", { name: `Actions for ${editor.name}` }).click();
  await adminPage.getByRole("menuitem", { name: "Disable" }).click();
  const dialog = adminPage.getByRole("alertdialog", { name: `Disable “${editor.name}”?` });
  await expect(dialog).toContainText("1 API key stops working as well: “Nightly pipeline”.");
  await dialog.getByRole("button", { name: "Disable user" }).click();
  await expect(adminPage.getByRole("row", { name: editor.name })).toContainText("Disabled");

  const refused = await withKey("GET", "/projects");
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ detail: "Invalid or expired API key" });
  await editorPage.getByRole("link", { name: "Data sources" }).click();
  await expect(editorPage.getByRole("dialog", { name: "Your session has ended" })).toBeVisible();
});

test("the audit log has all of it, newest first, and can be filtered by person", async () => {
  await adminPage.getByRole("link", { name: "Audit" }).click();
  const entry = (action: string) => adminPage.getByRole("row").filter({ hasText: action });
  await expect(entry("Changed a user").first()).toContainText(editor.name);
  await expect(entry("Created an API key").first()).toContainText("Nightly pipeline");
  await expect(entry("Created a user").first()).toContainText(editor.name);
  expect(await adminPage.content()).not.toContain(rawKey);
  expect(await adminPage.content()).not.toContain(password);

  await adminPage.getByRole("combobox", { name: "Who" }).click();
  await adminPage
    .getByRole("option", { name: new RegExp(editor.name) })
    .first()
    .click();
  await expect(adminPage).toHaveURL(/who=User-\d+/);
  await expect(entry("Created a user")).toHaveCount(0);
  await expect(entry("Created an API key")).toHaveCount(1);
  await expect(entry("Signed in")).toHaveCount(1);
});

test("a revoked key stays in the list and no longer works", async () => {
  await adminPage.goto("/users");
  await adminPage.getByRole("button", { name: `Actions for ${editor.name}` }).click();
  await adminPage.getByRole("menuitem", { name: "Enable" }).click();
  await adminPage.getByRole("button", { name: "Enable user" }).click();
  await expect(adminPage.getByRole("row", { name: editor.name })).toContainText("Enabled");
  expect((await withKey("GET", "/projects")).status).toBe(200);

  await adminPage.getByRole("link", { name: "API keys" }).click();
  await adminPage.getByRole("button", { name: "Revoke Nightly pipeline" }).click();
  const dialog = adminPage.getByRole("alertdialog", { name: "Revoke “Nightly pipeline”?" });
  await expect(dialog).toContainText(editor.name);
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await expect(adminPage.getByRole("row", { name: /Nightly pipeline/ })).toContainText("Revoked");
  expect((await withKey("GET", "/projects")).status).toBe(401);
});

test("its owner rotates a key: the new one is shown once, and both work meanwhile", async () => {
  const shown = async () => (await adminPage.getByRole("status", { name: "API key" }).textContent()) ?? "";
  const statusWith = async (key: string) =>
    (
      await fetch(new URL("/svc/api/projects", adminPage.url()), {
        headers: { authorization: `Bearer ${key}` },
      })
    ).status;
  await adminPage.getByRole("button", { name: "New API key" }).click();
  await adminPage.getByLabel("Name").fill("Weekly report");
  await adminPage.getByRole("button", { name: "Create key" }).click();
  const old = await shown();
  await adminPage.getByRole("button", { name: "I have stored the key" }).click();

  await adminPage.getByRole("button", { name: "Rotate Weekly report" }).click();
  const dialog = adminPage.getByRole("dialog");
  await expect(dialog).toContainText("24 hours");
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  await expect(
    adminPage.getByRole("dialog", { name: "Store the new key “Weekly report” now" }),
  ).toBeVisible();
  const successor = await shown();
  expect(successor).not.toBe(old);
  await dialog.getByRole("button", { name: "I have stored the key" }).click();
  await expect(adminPage.getByRole("row", { name: /Weekly report/ })).toHaveCount(2);
  await expect(adminPage.getByRole("row", { name: /Weekly report.*replaced, expires/ })).toHaveCount(1);
  await expect(adminPage.getByRole("button", { name: "Rotate Weekly report" })).toHaveCount(1);
  expect([await statusWith(old), await statusWith(successor)]).toEqual([200, 200]);
});
