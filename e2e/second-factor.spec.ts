import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** Second factors in a browser: passkeys of Chromium's virtual authenticator, an authenticator app, recovery codes. */
const dataDir = join(scratch, "second-factor");
const ada = { name: "Ada Lovelace", email: "ada@example.com", password: "analytical engine" };
const editor = { name: "Grace Hopper", email: "grace@example.com", password: "nanoseconds of wire" };
test.describe.configure({ mode: "serial" });

let service: Service;
let api: Api;
let page: Page;
let codes: string[];
let secret: string;
let usedStep = 0;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  service = await startService(dataDir);
  api = await signIn(service.url);
  await api("POST", "/users", { ...ada, role: "Admin" });
  await api("POST", "/users", { ...editor, role: "Editor" });
  page = await browser.newPage({ baseURL: service.url });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
});

test.afterAll(async () => {
  expect(await service.stop()).toBe(0);
});

/**
 * A code of a step that has not been used: of this one or the next. The service also accepts the step before and the step
 * after its own, so the code lasts until it arrives.
 */
function nextCode(): string {
  const now = Math.floor(Date.now() / 30_000);
  usedStep = Math.max(usedStep + 1, now);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: usedStep * 30_000 });
}

async function enterPassword({ email, password }: { email: string; password: string } = ada) {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const enterCode = async (label: "Code" | "Recovery code", code: string) => {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
};

/** The page that one is led to is there: on the way, another address could not be opened. */
async function isIn() {
  await expect(page).not.toHaveURL(/\/(sign-in|second-factor)/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Reads the key that the dialog shows, and confirms it with a code. */
async function addApp() {
  await page.getByRole("button", { name: "Add authenticator app" }).first().click();
  const dialog = page.getByRole("dialog");
  secret = ((await dialog.getByTestId("totp-key").textContent()) ?? "").replaceAll(" ", "");
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  usedStep = 0;
  await dialog.getByLabel("Code", { exact: true }).fill(nextCode());
  await dialog.getByRole("button", { name: "Add authenticator app" }).click();
}

async function readCodes(): Promise<string[]> {
  const dialog = page.getByRole("dialog", { name: "Recovery codes" });
  await expect(dialog.getByRole("listitem")).toHaveCount(10);
  const shown = await dialog.getByRole("listitem").allTextContents();
  await dialog.getByRole("button", { name: "I have stored the codes" }).click();
  return shown;
}

const forgetSession = () => page.context().clearCookies();

test("a passkey is added in the profile, and comes with recovery codes", async () => {
  await enterPassword();
  await isIn();
  await page.goto("/profile");
  await page.getByRole("button", { name: "Add passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name").fill("Work laptop");
  await dialog.getByRole("button", { name: "Add passkey" }).click();
  codes = await readCodes();
  await expect(page.getByRole("list", { name: "Second factors" })).toContainText("Work laptop");
  await expect(page.getByText("10 codes left")).toBeVisible();
  await expectAccessible(page);
});

test("after signing out, the passkey signs in alone", async () => {
  await page.getByRole("button", { name: /Ada Lovelace/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByRole("button", { name: "Use a passkey instead" }).click();
  await isIn();
  await page.goto("/profile");
  await expect(page.getByRole("list", { name: "Second factors" })).toContainText("last used");
});

test("after the password, the passkey is the second step", async () => {
  await forgetSession();
  await enterPassword();
  await expect(page.getByRole("heading", { name: "Second factor" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await isIn();
});

test("a code of an authenticator app works once", async () => {
  await page.goto("/profile");
  await addApp();
  await expect(page.getByRole("list", { name: "Second factors" })).toContainText("Authenticator app");
  await forgetSession();
  await enterPassword();
  await enterCode("Code", "000000");
  await expect(page.getByText("This code is incorrect, expired, or already used.")).toBeVisible();
  const code = nextCode();
  await enterCode("Code", code);
  await isIn();
  await forgetSession();
  await enterPassword();
  await enterCode("Code", code);
  await expect(page.getByText("This code is incorrect, expired, or already used.")).toBeVisible();
});

test("a recovery code works once", async () => {
  const [code = ""] = codes;
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await enterCode("Recovery code", code);
  await isIn();
  await page.goto("/profile");
  await expect(page.getByText("9 codes left")).toBeVisible();
  await forgetSession();
  await enterPassword();
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await enterCode("Recovery code", code);
  await expect(page.getByText("This code is incorrect, expired, or already used.")).toBeVisible();
  await enterCode("Recovery code", codes[1] ?? "");
  await isIn();
});

test("an Admin requires one of Editors, who can then do nothing else until they have it", async () => {
  await page.goto("/settings");
  await page.getByRole("switch", { name: /Required for Editors/ }).click();
  await expect(page.getByText(`1 user not set up yet: ${editor.name}`)).toBeVisible();
  await expectAccessible(page);
  await forgetSession();
  await enterPassword(editor);
  await expect(page).toHaveURL(/\/second-factor$/);
  await page.goto("/queries");
  await expect(page).toHaveURL(/\/second-factor$/);
  await expectAccessible(page);
  const refused = await page.request.get("/svc/api/projects");
  expect([refused.status(), await refused.json()]).toMatchObject([403, { secondFactor: "missing" }]);
  await addApp();
  await readCodes();
  await isIn();
  expect((await page.request.get("/svc/api/projects")).status()).toBe(200);
  await page.goto("/profile");
  await page.getByRole("button", { name: "Remove Authenticator app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Remove authenticator app" }).click();
  await expect(dialog.getByText("Your role needs a second factor: add another one first")).toBeVisible();
});

test("an Admin resets it, which ends that person's sessions", async () => {
  const editorCookies = await page.context().cookies();
  await forgetSession();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Use a passkey instead" }).click();
  await isIn();
  await page.goto("/users");
  const row = page.getByRole("row", { name: new RegExp(editor.name) });
  await row.getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Reset second factor" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Reset second factor" }).click();
  await expect(page.getByText(`${editor.name} has no second factor now`)).toBeVisible();
  const adminCookies = await page.context().cookies();
  await forgetSession();
  await page.context().addCookies(editorCookies);
  expect((await page.request.get("/svc/api/auth/second-factor")).status()).toBe(401);
  await forgetSession();
  await page.context().addCookies(adminCookies);
});

test("signing out everywhere ends all of them, and the audit log has each step", async () => {
  const cookies = await page.context().cookies();
  const out = await page.request.post("/svc/api/auth/sign-out-everywhere", { data: { keepCurrent: false } });
  expect(out.status()).toBe(200);
  await page.context().addCookies(cookies);
  await page.goto("/home");
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByRole("button", { name: "Use a passkey instead" }).click();
  await isIn();
  await page.goto("/audit");
  for (const words of [
    "Signed out everywhere",
    "Removed a user's second factors",
    "Changed who needs a second factor",
  ])
    await expect(page.getByText(words).first()).toBeVisible();
});
