import { join } from "node:path";
import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { anOidcProvider, audience, type OidcProvider } from "../server/test/oidc-provider.ts";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { freePort, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** People sign in through their organization's provider: a real one, with its own pages, in a real browser. */
const dataDir = join(scratch, "oidc");
test.describe.configure({ mode: "serial" });

let provider: OidcProvider;
let service: Service;
let admin: Api;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  // The provider must know the service's future address, and the service the provider's.
  const port = await freePort();
  provider = await anOidcProvider(`http://localhost:${port}/svc/api/auth/callback/oidc`);
  service = await startService(dataDir, {
    PORT: String(port),
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.client.id,
    OIDC_CLIENT_SECRET: provider.client.secret,
    OIDC_NAME: "Example Corp",
    OIDC_ROLES: "Admin=plumbline-admins,Editor=data-team,Viewer=readers",
    OIDC_PROJECT_ROLES: "Sales:Editor=sales-team,HR:Viewer=hr-team",
    OIDC_AUDIENCE: audience,
  });
  admin = await signIn(service.url);
  provider.people.set("grace", {
    ...{ name: "Grace Hopper", email: "grace@example.com", email_verified: true, groups: ["data-team"] },
  });
  context = await browser.newContext({ baseURL: service.url });
  page = await context.newPage();
});

test.afterAll(async () => {
  await context?.close();
  expect(await service?.stop()).toBe(0);
  await provider?.close();
});

/** Signs out. Leaves the page first: otherwise it would go to sign-in by itself. */
async function beNobody(): Promise<void> {
  await page.goto("about:blank");
  await context.clearCookies();
}

/** Signs in as someone new: to the provider, through its pages, and back. */
async function comeAs(login: string, { from = "/sign-in" } = {}): Promise<void> {
  await beNobody();
  await page.goto(from);
  await page.getByRole("button", { name: "Continue with Example Corp" }).click();
  await expect(page).toHaveURL(new RegExp(`^${provider.issuer}/interaction/`));
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("whatever it asks for");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

type Listed = {
  items: { id: number; name: string; email: string; role: string; lastSignInAt: string | null }[];
};
const users = async () => ((await admin("GET", "/users")).body as Listed).items;
const userOf = async (email: string) => (await users()).find((user) => user.email === email);

test("the button goes to the provider and back to the requested page, with the mapped role", async () => {
  await comeAs("grace", { from: "/recipients" });
  await expect(page).toHaveURL(`${service.url}/recipients`);
  await expect(page.getByRole("button", { name: /Grace Hopper/ })).toContainText("Editor");
  const session = (await context.cookies(service.url)).find(({ name }) => name.includes("session-token"));
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  expect(await userOf("grace@example.com")).toMatchObject({ name: "Grace Hopper", role: "Editor" });
  expect((await userOf("grace@example.com"))?.lastSignInAt).not.toBeNull();
});

test("the request to the provider carries PKCE, a state, and a nonce, and the callback works once", async () => {
  await beNobody();
  await page.goto("/sign-in");
  const asked = page.waitForRequest((request) => request.url().startsWith(`${provider.issuer}/auth?`));
  await page.getByRole("button", { name: "Continue with Example Corp" }).click();
  const query = new URL((await asked).url()).searchParams;
  expect(query.get("response_type")).toBe("code");
  expect(query.get("code_challenge_method")).toBe("S256");
  for (const name of ["code_challenge", "state", "nonce"])
    expect(query.get(name)?.length).toBeGreaterThan(20);

  const returned = page.waitForRequest((request) => request.url().includes("/callback/oidc?"));
  await page.locator("input[name=login]").fill("grace");
  await page.locator("input[name=password]").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  const callback = (await returned).url();
  await expect(page).toHaveURL(/\/home/);

  // Another browser, and this one again: neither has the matching cookies.
  for (const clear of [false, true]) {
    if (clear) await beNobody();
    const again = await context.request.get(callback, { maxRedirects: 0 });
    expect(again.status()).toBe(302);
    expect(again.headers().location).toContain("error=OAuthCallback");
  }
});

test("each sign-in maps the role again, and it applies to existing sessions", async () => {
  const cookies = await signedInCookies("grace");
  const me = async () =>
    (await (
      await fetch(`${service.url}/svc/api/auth/me`, { headers: { cookie: cookies } })
    ).json()) as object;
  expect(await me()).toMatchObject({ kind: "User", role: "Editor", scopes: null });
  tell("grace", { groups: ["readers", "plumbline-admins"] });
  await comeAs("grace");
  await expect(page.getByRole("button", { name: /Grace Hopper/ })).toContainText("Admin");
  expect(await me()).toMatchObject({ role: "Admin" });
  tell("grace", { groups: ["readers"] });
  await comeAs("grace");
  await expect(page.getByRole("button", { name: /Grace Hopper/ })).toContainText("Viewer");
  expect(await me()).toMatchObject({ role: "Viewer" });
  expect((await users()).filter(({ name }) => name === "Grace Hopper")).toHaveLength(1);
});

test("users without a role, and disabled users, cannot sign in and are told why", async () => {
  tell("grace", { groups: [] });
  await comeAs("grace");
  await expect(page.getByText(/gives you no role here/)).toBeVisible();
  expect(await isSignedIn()).toBe(false);

  tell("grace", { groups: ["data-team"] });
  const cookies = await signedInCookies("grace");
  const grace = await userOf("grace@example.com");
  const disabled = { name: "Grace Hopper", role: "Editor", enabled: false };
  expect((await admin("PUT", `/users/${grace?.id}`, disabled)).status).toBe(200);
  const stale = await fetch(`${service.url}/svc/api/auth/me`, { headers: { cookie: cookies } });
  expect(stale.status).toBe(401);
  await comeAs("grace");
  await expect(page.getByText(/Your account is disabled/)).toBeVisible();
  expect(await isSignedIn()).toBe(false);
});

test("an existing account opens only for a verified email address", async () => {
  const account = { name: "Ada", email: "ada@example.com", password: "analytical engine", role: "Viewer" };
  expect((await admin("POST", "/users", account)).status).toBe(201);
  provider.people.set("mallory", { name: "Mallory", email: "Ada@example.com", groups: ["data-team"] });
  await comeAs("mallory");
  await expect(page.getByText(/An account with your email address already exists/)).toBeVisible();
  provider.people.set("ada", { ...provider.people.get("mallory"), name: "Countess", email_verified: true });
  await comeAs("ada");
  await expect(page.getByRole("button", { name: /Ada/ })).toContainText("Editor");
  tell("mallory", { email_verified: true });
  await comeAs("mallory");
  await expect(page.getByText(/An account with your email address already exists/)).toBeVisible();
});

test("the last Admin keeps the role when signing in, and the password still works", async () => {
  const me = (await admin("GET", "/auth/me")).body as { user: { email: string } };
  provider.people.set("ops", { email: me.user.email, email_verified: true, groups: ["readers"] });
  await comeAs("ops");
  await expect(page.getByText(/You are the last Admin here/)).toBeVisible();
  expect((await admin("GET", "/auth/me")).body).toMatchObject({ role: "Admin" });
});

test("groups lead to projects, with a role in each, and losing one takes its project", async () => {
  for (const name of ["Sales", "HR", "Secret"])
    expect((await admin("POST", "/projects", { name })).status).toBe(201);
  provider.people.set("katherine", { name: "Katherine", groups: ["sales-team", "hr-team"] });
  await comeAs("katherine", { from: "/projects" });
  await expect(page.getByRole("row", { name: /Sales/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /HR/ })).toBeVisible();
  await expect(page.getByText("Secret")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Katherine/ })).toContainText("2 projects");
  // An Editor in one of them may add a recipient there, and a Viewer in the other may not.
  const mayAdd = page.getByRole("button", { name: "New recipient" }).first();
  const projects = ((await admin("GET", "/projects")).body as Listed).items;
  const idOf = (name: string) => projects.find((project) => project.name === name)?.id;
  await page.goto(`/recipients?project=${idOf("Sales")}`);
  await expect(mayAdd).toBeVisible();
  await page.goto(`/recipients?project=${idOf("HR")}`);
  await expect(page.getByText(/No recipients/)).toBeVisible();
  await expect(mayAdd).toHaveCount(0);
  for (const path of ["/users", "/settings", "/audit", "/jobs"])
    await expect(page.getByRole("navigation").getByRole("link", { name: path.slice(1) })).toHaveCount(0);

  tell("katherine", { groups: ["hr-team"] });
  await comeAs("katherine", { from: "/projects" });
  await expect(page.getByRole("row", { name: /HR/ })).toBeVisible();
  await expect(page.getByText("Sales")).toHaveCount(0);

  tell("katherine", { groups: [] });
  await comeAs("katherine");
  await expect(page.getByText(/gives you no role here/)).toBeVisible();
});

test("the page of users says that the provider decides", async () => {
  provider.people.set("katherine", { name: "Katherine", groups: ["sales-team"] });
  provider.people.set("boss", { name: "Boss", groups: ["plumbline-admins"] });
  await comeAs("katherine");
  await expect(page).toHaveURL(/\/home/);
  await comeAs("boss", { from: "/users" });
  await page.getByRole("row", { name: /Katherine/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Editor in Sales")).toBeVisible();
  await expect(dialog.getByText(/Example Corp decides this by groups/)).toBeVisible();
  await expect(dialog.getByRole("radiogroup")).toHaveCount(0);
});

test("canceling at the provider returns to the sign-in page", async () => {
  await beNobody();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with Example Corp" }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/sign-in\?/);
  await expect(page.getByText(/was not completed/)).toBeVisible();
});

test("a JWT from the same provider authenticates REST, with the mapped role", async () => {
  const authorization = `Bearer ${await provider.pipelineToken(["readers"])}`;
  const answer = await fetch(`${service.url}/svc/api/auth/me`, { headers: { authorization } });
  expect(await answer.json()).toMatchObject({ kind: "Jwt", role: "Viewer" });
});

test("an MCP client is sent to the provider and connects with its JWT", async () => {
  const door = `${service.url}/svc/mcp`;
  const refused = await fetch(door, { method: "POST" });
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(refused);
  const { resource, authorization_servers } = await discoverOAuthProtectedResourceMetadata(door, {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  });
  expect([refused.status, resource, authorization_servers]).toEqual([401, door, [provider.issuer]]);
  const atRoot = await fetch(`${service.url}/.well-known/oauth-protected-resource`);
  expect(await atRoot.json()).toMatchObject({ resource: door });

  const authorization = `Bearer ${await provider.pipelineToken(["readers"])}`;
  const client = new Client({ name: "journey", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(door), {
    requestInit: { headers: { authorization } },
  });
  await client.connect(transport as Transport);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect([names.includes("get_context"), names.includes("query")]).toEqual([true, false]);
});

test("the audit log says who signed in, how, and what changed; the log holds no secret", async () => {
  const { items } = (await admin("GET", "/audit-log?pageSize=500")).body as {
    items: { action: string; detail: string }[];
  };
  const told = items.map(({ action, detail }) => `${action} ${detail}`).join("\n");
  for (const entry of [
    "users.create Grace Hopper, by OIDC",
    "users.update Editor becomes Admin, by OIDC",
    "users.update ada@example.com now signs in with OIDC",
    "session.signIn by oidc, as Editor",
    "session.signInRefused by oidc",
  ])
    expect(told).toContain(entry);
  expect(service.output()).not.toContain(provider.client.secret);
  expect(service.output()).not.toContain("eyJ");
});

test("password sign-in can be turned off: only the provider remains, and turning it on again is the way back", async () => {
  const restart = async (more: Record<string, string>) => {
    await service.stop();
    service = await startService(dataDir, {
      PORT: new URL(service.url).port,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.client.id,
      OIDC_CLIENT_SECRET: provider.client.secret,
      OIDC_NAME: "Example Corp",
      OIDC_ROLES: "Admin=plumbline-admins,Editor=data-team,Viewer=readers",
      ...more,
    });
  };
  await restart({ PASSWORD_SIGN_IN: "off" });
  // The session began with a password.
  expect((await admin("GET", "/auth/me")).status).toBe(401);
  await beNobody();
  await page.goto("/sign-in");
  await expect(page.getByRole("button", { name: "Continue with Example Corp" })).toBeVisible();
  await expect(page.getByLabel("Password")).toHaveCount(0);
  const { csrfToken } = (await (await context.request.get("/svc/api/auth/csrf")).json()) as {
    csrfToken: string;
  };
  const refused = await context.request.post("/svc/api/auth/callback/credentials", {
    form: { csrfToken, email: "demo@plumbline.example", password: "whatever it was", json: "true" },
  });
  expect(refused.status()).toBe(403);
  await comeAs("boss", { from: "/users" });
  await page.getByRole("button", { name: "New user" }).click();
  await expect(page.getByRole("dialog").getByLabel("Email")).toBeVisible();
  await expect(page.getByRole("dialog").getByLabel("Password")).toHaveCount(0);

  await restart({ PASSWORD_SIGN_IN: "on" });
  expect((await (await signIn(service.url))("GET", "/auth/me")).status).toBe(200);
  admin = await signIn(service.url);
});

test("while the provider is down the page says so, and passwords still work", async () => {
  await service.stop();
  await provider.close();
  service = await startService(dataDir, {
    PORT: new URL(service.url).port,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.client.id,
    OIDC_CLIENT_SECRET: provider.client.secret,
    OIDC_NAME: "Example Corp",
    OIDC_DEFAULT_ROLE: "Viewer",
  });
  await beNobody();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with Example Corp" }).click();
  await expect(page.getByText(/Example Corp cannot be reached/)).toBeVisible();
  expect((await (await signIn(service.url))("GET", "/auth/me")).status).toBe(200);
});

function tell(login: string, claims: Record<string, unknown>): void {
  provider.people.set(login, { ...provider.people.get(login), ...claims });
}

async function isSignedIn(): Promise<boolean> {
  return (await context.cookies(service.url)).some(({ name }) => name.includes("session-token"));
}

async function signedInCookies(login: string): Promise<string> {
  await comeAs(login);
  await expect(page).toHaveURL(/\/home/);
  return (await context.cookies(service.url)).map(({ name, value }) => `${name}=${value}`).join("; ");
}
