import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { type Api, signIn } from "./api.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/**
 * A job fails, because the Pusher-compatible service that it calls is broken: an Admin sees it and why, ends it, has
 * it tried again, and it is done when the service has recovered.
 */
const dataDir = join(scratch, "jobs");
const serverUrl = new URL(process.env.TEST_DATABASE_URL ?? "postgres://");
test.describe.configure({ mode: "serial" });

const passOn = "Pass an event on to Pusher";

let hub: Server;
let isHubBroken = true;
let service: Service;
let api: Api;
let page: Page;
let subscriptionId: number;

type Job = { id: number; name: string; status: string; attempts: number; error: string | null };

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  rmSync(dataDir, { recursive: true, force: true });
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

/** Its owner is told when it has ended: by a job. */
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

test("a job that fails is seen while it is tried again, with the reason", async () => {
  await page.goto("/jobs");
  await page.getByLabel("E-mail").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Jobs", level: 1 })).toBeVisible();
  await execute();
  // The page finds it by itself.
  await expect(rows()).toHaveCount(1);
  await expect(rows()).toContainText("Retrying");
  await expect(rows()).toContainText("500");
  await expect(rows()).toContainText("next attempt");
});

test("what the clock has done and nobody misses is out of the way, unless asked for", async () => {
  const tick = page.getByRole("row").filter({ hasText: "Look at the schedules" });
  await expect
    .poll(async () => (await jobs("name=schedule-tick&status=Completed")).length, { timeout: 70_000 })
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

test("a job that waits is cancelled, stays so, and can be tried again", async () => {
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
  await expect(page.getByText(`“${passOn}” runs again`)).toBeVisible();
  await expect(rows()).toContainText("Retrying");
  expect((await jobs("name=forward-hub-event"))[0]?.attempts).toBe(before + 1);
});

test("when its tries are used up it has failed, and the navigation says so on every page", async () => {
  // Each of them now, rather than in minutes.
  await expect(async () => {
    const [job] = await jobs("name=forward-hub-event");
    if (job?.status !== "Failed") await api("POST", `/jobs/${job?.id}/retry`);
    expect(job?.status).toBe("Failed");
  }).toPass({ timeout: 30_000, intervals: [200] });
  await page.goto("/control-tower");
  const entry = page.getByRole("link", { name: /^Jobs/ });
  await expect(entry).toContainText("1 failed");
  await entry.click();
  await page.getByRole("button", { name: "1 failed in the last 24 h" }).click();
  await expect(page).toHaveURL(/status=Failed/);
  await expect(rows()).toContainText("Failed");
  await expect(rows()).toContainText("500");
});

test("it is as it should be in light and dark, on a phone, and by keyboard", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(rows().getByRole("button", { name: `Retry “${passOn}”` })).toBeVisible();
  const outside = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(outside).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });

  // j enters the list; Enter opens what a job is about.
  await page.goto("/jobs?name=index-schema");
  const about = page.getByRole("row").filter({ hasText: "Data source 1" });
  await expect(about.first()).toBeVisible();
  // The page has to have taken over before it takes keys.
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(about.first()).toBeFocused({ timeout: 1000 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/data-sources\/1$/);
});

test("when what it needs has recovered, a failed job is run again and completes", async () => {
  isHubBroken = false;
  await page.goto("/jobs?status=Failed");
  await rows()
    .getByRole("button", { name: `Retry “${passOn}”` })
    .click();
  await expect(page.getByRole("main")).toContainText("No job has failed");
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(rows()).toContainText("Completed");
  await expect(page.getByRole("link", { name: /^Jobs/ })).not.toContainText("failed");
  const audit = (await api("GET", "/audit-log?objectKind=job")).body as { items: { action: string }[] };
  expect(new Set(audit.items.map(({ action }) => action))).toEqual(new Set(["jobs.retry", "jobs.cancel"]));
});

test("who is no Admin is told so, and offered nothing of it", async ({ browser }) => {
  const vera = { name: "Vera", email: "vera@plumbline.example", password: "long enough password" };
  await create("/users", { ...vera, role: "Editor" });
  const other = await (await browser.newContext({ baseURL: service.url })).newPage();
  await other.goto("/jobs");
  await other.getByLabel("E-mail").fill(vera.email);
  await other.getByLabel("Password", { exact: true }).fill(vera.password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other.getByRole("main")).toContainText("Your role does not allow this");
  await expect(other.getByRole("link", { name: /^Jobs/ })).toHaveCount(0);
  await other.context().close();
});
