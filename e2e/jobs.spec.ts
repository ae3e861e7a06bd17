import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { turnMinute } from "./clock.ts";
import { prepareFolder } from "./data-folders.ts";
import { openAs } from "./enter.ts";
import { type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/**
 * A job fails because the Pusher-compatible service that it calls is broken: an Admin sees why, cancels it, and retries
 * it, and it completes once the service has recovered.
 */
const dataDir = join(scratch, "jobs");
const serverUrl = new URL(process.env.TEST_DATABASE_URL ?? "postgres://");
test.describe.configure({ mode: "serial" });

const passOn = "Send an event to Pusher";

let hub: Server;
let isHubBroken = true;
let service: Service;
let api: Api;
let page: Page;
let subscriptionId: number;

type Job = { id: number; name: string; status: string; attempts: number; error: string | null };

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  hub = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(isHubBroken ? 500 : 200, { "content-type": "application/json" });
      response.end(isHubBroken ? "out of order" : "{}");
    });
  }).listen(0, "127.0.0.1");
  await once(hub, "listening");
  const { port } = hub.address() as AddressInfo;
  service = await startService(dataDir, {
    ...{ PUSHER_APP_ID: "1", PUSHER_KEY: "key", PUSHER_SECRET: "secret" },
    PUSHER_HOST: `http://127.0.0.1:${port}`,
  });
  api = await signIn(service.url);
  const projectId = await create("/projects", { name: "Shop" });
  const dataSourceId = await create("/data-sources", {
    projectId,
    name: "Shop database",
    kind: "PostgreSql",
    connection: {
      host: serverUrl.hostname,
      port: Number(serverUrl.port || 5432),
      database: decodeURIComponent(serverUrl.pathname.slice(1)),
      user: decodeURIComponent(serverUrl.username),
      password: decodeURIComponent(serverUrl.password),
      ssl: false,
    },
  });
  expect((await api("POST", `/data-sources/${dataSourceId}/refresh-schema`)).status).toBe(200);
  const steps = [{ dataSourceId, sql: "select 1 as one" }];
  const queryId = await create("/queries", { projectId, name: "One row", steps });
  subscriptionId = await create("/subscriptions", { queryId, cronExpression: "0 6 * * *" });
  page = await (await browser.newContext({ baseURL: service.url })).newPage();
});

test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
  hub.close();
  hub.closeAllConnections();
});

async function create(path: string, body: object): Promise<number> {
  const answer = await api("POST", path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return (answer.body as { id: number }).id;
}

/** Its owner is notified of its end by a job. */
async function execute(): Promise<void> {
  const { status } = await api("POST", `/subscriptions/${subscriptionId}/execute`, undefined, {
    prefer: "wait",
  });
  expect(status).toBe(200);
}

async function jobs(query: string): Promise<Job[]> {
  return ((await api("GET", `/jobs?${query}`)).body as { items: Job[] }).items;
}

const rows = () => page.getByRole("row").filter({ hasText: passOn });

test("a failing job is visible while it is retried, with the reason", async () => {
  await openAs(page, `${service.url}/jobs`);
  await expect(page.getByRole("heading", { name: "Jobs", level: 1 })).toBeVisible();
  await execute();
  // The page updates by itself.
  await expect(rows()).toHaveCount(1);
  await expect(rows()).toContainText("Retrying");
  await expect(rows()).toContainText("500");
  await expect(rows()).toContainText("next attempt");
});

test("completed housekeeping jobs are hidden unless requested", async () => {
  const tick = page.getByRole("row").filter({ hasText: "Check schedules" });
  await turnMinute(dataDir);
  await expect
    .poll(async () => (await jobs("name=schedule-tick&status=Completed")).length)
    .toBeGreaterThan(0);
  await page.reload();
  await expect(rows()).toHaveCount(1);
  await expect(tick).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Completed housekeeping" }).click();
  await expect(tick.first()).toContainText("Completed");
  await expect(page).toHaveURL(/housekeeping=true/);
  await page.goBack();
  await expect(tick).toHaveCount(0);
});

test("a waiting job is cancelled, stays cancelled, and can be retried", async () => {
  await rows()
    .getByRole("button", { name: `Cancel “${passOn}”` })
    .click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText(passOn);
  await dialog.getByRole("button", { name: "Cancel the job" }).click();
  await expect(rows()).toContainText("Cancelled");
  await page.reload();
  await expect(rows()).toContainText("Cancelled");

  const before = (await jobs("name=forward-hub-event"))[0]?.attempts ?? 0;
  await rows()
    .getByRole("button", { name: `Retry “${passOn}”` })
    .click();
  await expect(page.getByText(`“${passOn}” is running again`)).toBeVisible();
  await expect(rows()).toContainText("Retrying");
  expect((await jobs("name=forward-hub-event"))[0]?.attempts).toBe(before + 1);
});

test("after its last attempt it has failed, and the navigation shows it on every page", async () => {
  // Retries them now, rather than in minutes.
  await expect(async () => {
    const [job] = await jobs("name=forward-hub-event");
    if (job?.status !== "Failed") await api("POST", `/jobs/${job?.id}/retry`);
    expect(job?.status).toBe("Failed");
  }).toPass({ intervals: [200] });
  await page.goto("/control-tower");
  const entry = page.getByRole("link", { name: /^Jobs/ });
  await expect(entry).toContainText("1 failed");
  await entry.click();
  await page.getByRole("button", { name: "1 failed in the last 24 h" }).click();
  await expect(page).toHaveURL(/status=Failed/);
  await expect(rows()).toContainText("Failed");
  await expect(rows()).toContainText("500");
});

test("the page works in light and dark, on a phone, and by keyboard", async () => {
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(rows().getByRole("button", { name: `Retry “${passOn}”` })).toBeVisible();
  const outside = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(outside).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });

  // j enters the list; Enter opens a job's subject.
  await page.goto("/jobs?name=index-schema");
  const about = page.getByRole("row").filter({ hasText: "Data source 1" });
  await expect(about.first()).toBeVisible();
  // The page only handles keys once it is interactive.
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(about.first()).toBeFocused({ timeout: 5000 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/data-sources\/1$/);
});

test("once the cause is fixed, a failed job is retried and completes", async () => {
  isHubBroken = false;
  await page.goto("/jobs?status=Failed");
  await rows()
    .getByRole("button", { name: `Retry “${passOn}”` })
    .click();
  await expect(page.getByRole("main")).toContainText("No failed jobs");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows()).toContainText("Completed");
  await expect(page.getByRole("link", { name: /^Jobs/ })).not.toContainText("failed");
  const audit = (await api("GET", "/audit-log?objectKind=job")).body as { items: { action: string }[] };
  expect(new Set(audit.items.map(({ action }) => action))).toEqual(new Set(["jobs.retry", "jobs.cancel"]));
});

test("a user who is not an Admin sees a message and no actions", async ({ browser }) => {
  const vera = { name: "Vera", email: "vera@plumbline.example", password: "long enough password" };
  await create("/users", { ...vera, role: "Editor" });
  const other = await (await browser.newContext({ baseURL: service.url })).newPage();
  await openAs(other, `${service.url}/jobs`, vera);
  await expect(other.getByRole("main")).toContainText("Your role does not allow this");
  await expect(other.getByRole("link", { name: /^Jobs/ })).toHaveCount(0);
  await other.context().close();
});
