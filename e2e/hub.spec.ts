import { join } from "node:path";
import { type BrowserContext, expect, type Page, type WebSocket } from "@playwright/test";
import Pusher from "pusher";
import { ownCredentials } from "../server/realtime/credentials.ts";
import { type Api, sessionCookie, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { admin, freePort, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/**
 * Events in real browsers: an Admin with two, and someone else with a third, all on a page that does not poll for
 * changes. An event's change appears there without a reload.
 */
test.describe.configure({ mode: "serial" });

const dataDir = join(scratch, "hub");
const secret = "a secret that only this journey uses, 32+ characters";
const other = { name: "Grace Hopper", email: "grace@example.com", password: "nanoseconds of wire" };

let service: Service;
let settings: Record<string, string>;
let api: Api;
let project: number;
let ids: { admin: number; other: number };
const contexts: BrowserContext[] = [];
let first: Page;
let second: Page;
let third: Page;
const problems: string[] = [];

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  settings = { NEXTAUTH_SECRET: secret, PORT: String(await freePort()) };
  service = await startService(dataDir, settings);
  api = await signIn(service.url);
  project = await idOf("POST", "/projects", { name: "Live" });
  ids = {
    admin: ((await api("GET", "/auth/me")).body as { user: { id: number } }).user.id,
    other: await idOf("POST", "/users", { ...other, role: "Editor" }),
  };
  const open = async (who: { email: string; password: string }) => {
    const context = await browser.newContext({ baseURL: service.url });
    contexts.push(context);
    const [name = "", ...value] =
      (await sessionCookie(service.url, who)).split("; ").at(-1)?.split("=") ?? [];
    await context.addCookies([{ name, value: value.join("="), url: service.url }]);
    const page = await context.newPage();
    page.on("console", (message) => {
      if (/content security|websocket/i.test(message.text())) problems.push(message.text());
    });
    const live = page
      .waitForEvent("websocket")
      .then((socket) =>
        socket.waitForEvent("framereceived", ({ payload }) => String(payload).includes("signin_success")),
      );
    await page.goto(`/queries?project=${project}`);
    await live;
    return page;
  };
  [first, second, third] = [await open(admin), await open(admin), await open(other)];
});

test.afterAll(async () => {
  for (const context of contexts) await context.close();
  await service.stop();
});

/** The next connection that a page makes, once it has signed in. */
async function liveSocketOf(page: Page): Promise<WebSocket> {
  const socket = await page.waitForEvent("websocket");
  await socket.waitForEvent("framereceived", ({ payload }) => String(payload).includes("signin_success"));
  return socket;
}

async function idOf(method: string, path: string, body: object): Promise<number> {
  const answer = await api(method, path, body);
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(201);
  return (answer.body as { id: number }).id;
}

const aFolder = (name: string) => idOf("POST", "/query-folders", { projectId: project, name });

const tell = (userId: number) =>
  new Pusher({ ...ownCredentials(secret), host: `localhost:${settings.PORT}/svc/api/hub` }).sendToUser(
    String(userId),
    "ApprovalUpdated",
    { approvalId: 1, status: "approved" },
  );

const folder = (page: Page, name: string) => page.getByText(name, { exact: true }).first();

test("an event refetches in both of its user's browsers, and in nobody else's", async () => {
  await aFolder("Billing");
  await tell(ids.admin);
  await expect(folder(first, "Billing")).toBeVisible();
  await expect(folder(second, "Billing")).toBeVisible();
  await expect(folder(third, "Billing")).toHaveCount(0);
  await tell(ids.other);
  await expect(folder(third, "Billing")).toBeVisible();
  expect(problems).toEqual([]);
});

test("one connection is enough for all pages of a tab, and pages that nobody signed in on make none", async ({
  browser,
}) => {
  const opened: string[] = [];
  first.on("websocket", (socket) => opened.push(socket.url()));
  await first.getByRole("link", { name: "Subscriptions" }).first().click();
  await expect(first.getByRole("heading", { level: 1 })).toHaveText("Subscriptions");
  await first.goBack();
  await expect(folder(first, "Billing")).toBeVisible();
  expect(opened).toEqual([]);

  const stranger = await browser.newPage({ baseURL: service.url });
  stranger.on("websocket", (socket) => opened.push(socket.url()));
  await stranger.goto("/sign-in");
  await expect(stranger.getByRole("button", { name: "Sign in" })).toBeVisible();
  await stranger.close();
  expect(opened).toEqual([]);
});

test("after a restart of the service, pages reconnect and show what they missed", async () => {
  // Offline until everything has happened, so that there is something to miss.
  for (const context of contexts) await context.setOffline(true);
  await service.stop();
  service = await startService(dataDir, settings);
  api = await signIn(service.url);
  await aFolder("Warehouse");
  for (const page of [first, second, third]) await expect(folder(page, "Warehouse")).toHaveCount(0);
  for (const context of contexts) await context.setOffline(false);
  for (const page of [first, second, third]) await expect(folder(page, "Warehouse")).toBeVisible();

  await aFolder("Harbour");
  await tell(ids.other);
  await expect(folder(third, "Harbour")).toBeVisible();
});

test("signing out stops updates in every tab of the browser", async () => {
  const live = liveSocketOf(third);
  await third.reload();
  const socket = await live;
  const closed = socket.waitForEvent("close");
  const other = await third.context().newPage();
  await other.goto("/docs/api");
  await other.evaluate(async () => {
    const { csrfToken } = await (await fetch("/svc/api/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, json: "true" });
    await fetch("/svc/api/auth/signout", { method: "POST", body });
  });
  await closed;
  // Nor can it reconnect.
  const again = await third.request.post("/svc/api/hub/user-auth", { form: { socket_id: "1.1" } });
  expect(again.status()).toBe(401);
});
