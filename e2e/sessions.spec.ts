import { join } from "node:path";
import { type Browser, type BrowserContext, expect, type Page, type Route } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { type Api, sessionCookie, signIn } from "./api.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** Sessions end in two processes at once; a page whose session has ended asks for the password and loses nothing. */
test.describe.configure({ mode: "serial" });

const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_sessions";
const editor = { name: "Grace Hopper", email: "grace@example.com", password: "nanoseconds of wire" };

let services: Service[] = [];
let own: Sql;
let api: Api;
let url: string;
let contract: number;
let query: number;
let editorId: number;
let context: BrowserContext;
let page: Page;

async function withServer(work: (server: Sql) => Promise<unknown>): Promise<void> {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await work(server);
  await server.end();
}

test.beforeAll(async ({ browser }) => {
  await withServer(async (server) => {
    await server.unsafe(`drop database if exists ${database} with (force)`);
    await server.unsafe(`create database ${database}`);
  });
  const address = Object.assign(new URL(serverUrl), { pathname: `/${database}` });
  own = postgres(address.href, { max: 1, onnotice: () => {} });
  const settings = {
    DATABASE_URL: address.href,
    ENCRYPTION_KEY: "44".repeat(32),
    NEXTAUTH_SECRET: "a secret that only this journey uses, 32+ characters",
  };
  services = await Promise.all([1, 2].map(() => startService(join(scratch, "unused"), settings)));
  url = services[0]?.url ?? "";
  api = await signIn(url);
  const projectId = await create("/projects", { name: "Shop" });
  const { hostname, port, username, password } = address;
  const dataSourceId = await create("/data-sources", {
    ...{ projectId, name: "Own tables", kind: "PostgreSql" },
    connection: {
      ...{ host: hostname, port: Number(port || 5432), database, ssl: false },
      ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
    },
  });
  contract = await create("/data-quality/contracts", {
    ...{ name: "Projects", dataSourceId, schemaName: "public", tableName: "projects" },
    ...{ cronExpression: "0 6 * * *", timezone: "UTC", failureThreshold: 80 },
    rules: [{ name: "There are some", type: "Volume", configuration: { minRows: 1 } }],
  });
  query = await create("/queries", {
    ...{ projectId, name: "All projects", folderId: null, description: null },
    steps: [{ dataSourceId, sql: "select * from projects" }],
  });
  editorId = await create("/users", { ...editor, role: "Editor" });
  [context, page] = await aBrowserOf(browser, editor);
});

test.afterAll(async () => {
  await context?.close();
  for (const service of services) expect(await service.stop()).toBe(0);
  await own.end();
  await withServer((server) => server.unsafe(`drop database if exists ${database} with (force)`));
});

async function create(path: string, body: object): Promise<number> {
  const created = await api("POST", path, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return (created.body as { id: number }).id;
}

/** A browser with someone signed in. */
async function aBrowserOf(browser: Browser, who: typeof admin): Promise<[BrowserContext, Page]> {
  const context = await browser.newContext({ baseURL: url });
  await enter(context, who);
  return [context, await context.newPage()];
}

/** Signs in without the pages noticing, as another tab would. */
async function enter(context: BrowserContext, who: typeof admin): Promise<void> {
  const [name = "", ...value] = (await sessionCookie(url, who)).split("; ").at(-1)?.split("=") ?? [];
  await context.addCookies([{ name, value: value.join("="), url }]);
}

const endSessions = () => own`update sessions set ended_at = now() where user_id = ${editorId}`;
const stored = async () =>
  (await api("GET", `/data-quality/contracts/${contract}`)).body as { name: string; description: string };
const dialog = () => page.getByRole("dialog", { name: "Your session has ended" });

/**
 * Presses Save. The session ends just before the request reaches the server, so that no other request notices first.
 */
async function saveAsTheSessionEnds(): Promise<void> {
  const save = async (route: Route) => {
    await endSessions();
    await route.continue();
  };
  await page.route("**/svc/trpc/dataQuality.updateContract*", save, { times: 1 });
  await page.getByRole("button", { name: "Save contract" }).click();
}

async function enterPassword(password: string): Promise<void> {
  await dialog().getByLabel("Password", { exact: true }).fill(password);
  await dialog().getByRole("button", { name: "Sign in" }).click();
}

test("a copied cookie is worthless after signing out, in either process", async () => {
  const cookie = await sessionCookie(url);
  const copy = cookie;
  const statuses = () =>
    Promise.all(
      services.map(
        async (service) =>
          (await fetch(`${service.url}/svc/api/auth/me`, { headers: { cookie: copy } })).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200]);
  const csrf = await fetch(`${url}/svc/api/auth/csrf`, { headers: { cookie } });
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const signedOut = await fetch(`${url}/svc/api/auth/signout`, {
    method: "POST",
    headers: { cookie: `${cookie}; ${csrf.headers.getSetCookie()[0]?.split(";")[0]}` },
    body: new URLSearchParams({ csrfToken, json: "true" }),
  });
  expect(signedOut.status).toBe(200);
  expect(await statuses()).toEqual([401, 401]);
});

test("disabling a user ends their sessions in the other process, and enabling restores none", async () => {
  const other = { name: "Ada", email: "ada@example.com", password: "analytical engine", role: "Viewer" };
  const id = await create("/users", other);
  const there = await signIn(services[1]?.url ?? "", other);
  const set = (enabled: boolean) => api("PUT", `/users/${id}`, { name: "Ada", role: "Viewer", enabled });
  expect((await there("GET", "/auth/me")).status).toBe(200);
  await set(false);
  expect((await there("GET", "/auth/me")).status).toBe(401);
  await set(true);
  expect((await there("GET", "/auth/me")).status).toBe(401);
});

test("a page requested without a session redirects to sign-in and back", async () => {
  const path = `/data-quality/contracts/${contract}/edit`;
  await page.goto(path);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Projects");
  // A page that learns of the end redirects by itself, which would abort the next line's request.
  await page.goto("about:blank");
  await endSessions();
  await page.goto(path);
  await expect(page).toHaveURL(`${url}/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByLabel("Email").fill(editor.email);
  await page.getByLabel("Password", { exact: true }).fill(editor.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(url + path);
});

test("Save with an expired session asks for the password, and then saves", async () => {
  await page.getByLabel("Description").fill("Written before the session ended");
  await saveAsTheSessionEnds();
  await expect(dialog()).toContainText(editor.email);
  await enterPassword("not the password");
  await expect(dialog().getByRole("alert")).toContainText("The email address or password is incorrect.");
  await enterPassword(editor.password);
  await expect(page).toHaveURL(`${url}/data-quality/contracts/${contract}`);
  expect((await stored()).description).toBe("Written before the session ended");
});

test("dismissing the sign-in prompt keeps the page, and the next action asks again", async () => {
  await page.goto(`/data-quality/contracts/${contract}/edit`);
  await page.getByLabel("Description").fill("Written later");
  await saveAsTheSessionEnds();
  await dialog().getByRole("button", { name: "Not now" }).click();
  await expect(page.getByText("Nothing can be loaded or saved until you sign in.")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("Written later");
  await page.getByRole("button", { name: "Save contract" }).click();
  await enterPassword(editor.password);
  await expect(page).toHaveURL(`${url}/data-quality/contracts/${contract}`);
  expect((await stored()).description).toBe("Written later");
});

test("signing in from another tab is enough", async () => {
  await page.goto(`/data-quality/contracts/${contract}/edit`);
  await page.getByLabel("Description").fill("Saved from the first tab");
  await saveAsTheSessionEnds();
  await expect(dialog()).toBeVisible();
  await enter(context, editor);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page).toHaveURL(`${url}/data-quality/contracts/${contract}`);
  expect((await stored()).description).toBe("Saved from the first tab");
});

test("a different user who signs in is told whose page it is, and cannot save with it", async () => {
  await page.goto(`/data-quality/contracts/${contract}/edit`);
  await page.getByLabel("Description").fill("Grace's words");
  await saveAsTheSessionEnds();
  await expect(dialog()).toBeVisible();
  await enter(context, admin);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  const other = page.getByRole("dialog", { name: "Someone else is signed in now" });
  await expect(other).toContainText("this page belongs to Grace Hopper");
  expect((await stored()).description).toBe("Saved from the first tab");
  page.once("dialog", (question) => void question.accept());
  await other.getByRole("button", { name: /^Reload as/ }).click();
  await expect(page.getByLabel("Description")).toHaveValue("Saved from the first tab");
  // Grace's unsaved changes are not offered to anyone else.
  await expect(page.getByRole("region", { name: "Unsaved changes" })).toHaveCount(0);
  await enter(context, editor);
});

test("unsaved changes are offered after closing the tab, and forgotten once saved", async () => {
  const path = `/data-quality/contracts/${contract}/edit`;
  const notice = () => page.getByRole("region", { name: "Unsaved changes" });
  await page.goto(path);
  await notice().getByRole("button", { name: "Discard" }).click();
  await page.getByLabel("Description").fill("Not saved yet");
  await page.getByLabel("Name", { exact: true }).fill("Projects, all of them");
  await page.close();

  page = await context.newPage();
  await page.goto(path);
  await expect(page.getByLabel("Description")).toHaveValue("Saved from the first tab");
  await expect(notice()).toContainText(/You have unsaved changes from \d\d:\d\d\./);
  await expect(notice()).not.toContainText("has changed since");
  await notice().getByRole("button", { name: "Restore" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("Not saved yet");
  await page.getByRole("button", { name: "Save contract" }).click();
  await expect(page).toHaveURL(`${url}/data-quality/contracts/${contract}`);
  expect(await stored()).toMatchObject({ name: "Projects, all of them", description: "Not saved yet" });
  await page.goto(path);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Projects, all of them");
  await expect(notice()).toHaveCount(0);
});

test("restored changes mention a newer version; discarding them when leaving is final", async () => {
  const path = `/queries/${query}`;
  const notice = () => page.getByRole("region", { name: "Unsaved changes" });
  await page.goto(path);
  await page.getByLabel("Description").fill("Mine, unsaved");
  await page.close();
  const { body } = await api("GET", `/queries/${query}`);
  const { steps, activeVersion } = body as { steps: Record<string, unknown>[]; activeVersion: number };
  const writes = steps.map(({ order: _, ...step }) => step);
  const renamed = { name: "Renamed meanwhile", description: null, folderId: null, steps: writes };
  const updated = await api("PUT", `/queries/${query}`, { ...renamed, baseVersion: activeVersion });
  expect(updated.status, JSON.stringify(updated.body)).toBe(200);

  page = await context.newPage();
  await page.goto(path);
  await expect(notice()).toContainText("The query has changed since then; saving them overwrites that.");
  await notice().getByRole("button", { name: "Restore" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("Mine, unsaved");
  await page.getByRole("link", { name: "Data sources" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(page).toHaveURL(/\/data-sources/);
  await page.goto(path);
  await expect(page.getByLabel("Description")).toHaveValue("");
  await expect(notice()).toHaveCount(0);
});

test("people see their sessions and can end them", async ({ browser }) => {
  const [elsewhere, tab] = await aBrowserOf(browser, editor);
  await tab.goto("/projects");
  await page.goto("/projects");
  await page.getByRole("button", { name: /Grace Hopper/ }).click();
  await page.getByRole("menuitem", { name: "Sessions" }).click();
  const list = page.getByRole("dialog", { name: "Sessions" }).getByRole("list", { name: "Sessions" });
  await expect(list.getByRole("listitem").first()).toContainText("this session");
  await page.getByRole("button", { name: "Sign out other sessions" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await tab.getByRole("link", { name: "Recipients" }).click();
  await expect(tab.getByRole("dialog", { name: "Your session has ended" })).toBeVisible();
  await elsewhere.close();
  expect((await page.request.get("/svc/api/auth/me")).status()).toBe(200);
});

test("an Admin ends someone's session; signing out removes local drafts", async ({ browser }) => {
  await page.goto(`/queries/${query}`);
  await page.getByLabel("Description").fill("Kept for a moment");
  const kept = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("plumbline.draft.")));
  await expect.poll(kept).toHaveLength(1);

  const [adminContext, adminPage] = await aBrowserOf(browser, admin);
  await adminPage.goto("/users");
  await adminPage.getByRole("button", { name: `Actions for ${editor.name}` }).click();
  await adminPage.getByRole("menuitem", { name: "Sessions" }).click();
  await adminPage.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(adminPage.getByText("Not signed in anywhere.")).toBeVisible();
  await adminContext.close();

  await page.getByRole("button", { name: "Save", exact: true }).click();
  await enterPassword(editor.password);
  await expect(page.getByText(/^Saved “/)).toBeVisible();
  await expect.poll(kept).toEqual([]);
  await page.getByLabel("Description").fill("Not to be found by the next person");
  await expect.poll(kept).toHaveLength(1);
  page.once("dialog", (question) => void question.accept());
  await page.getByRole("button", { name: /Grace Hopper/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect(await kept()).toEqual([]);
});
