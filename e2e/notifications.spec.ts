import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { anHttpReceiver } from "../server/test/http-receiver.ts";
import { aMailServer } from "../server/test/mail-server.ts";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { endLeases, turnMinute } from "./clock.ts";
import { prepareFolder } from "./data-folders.ts";
import { openAs } from "./enter.ts";
import { freePort, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** Recipients are tested, and the ledger shows the outcome, with a real mail server and receiver. */
const dataDir = join(scratch, "notifications");
test.describe.configure({ mode: "serial" });

let mailServer: Awaited<ReturnType<typeof aMailServer>>;
let receiver: Awaited<ReturnType<typeof anHttpReceiver>>;
let service: Service;
let settings: Record<string, string>;
let api: Api;
let page: Page;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  [mailServer, receiver] = await Promise.all([aMailServer(), anHttpReceiver()]);
  settings = {
    PORT: String(await freePort()),
    SMTP_URL: mailServer.url,
    MAIL_FROM: "Plumbline <alerts@example.com>",
    OUTBOUND_ALLOW: "127.0.0.1",
  };
  service = await startService(dataDir, settings);
  api = await signIn(service.url);
  const { body } = await api("POST", "/projects", { name: "Flights" });
  const projectId = (body as { id: number }).id;
  const recipients = [
    { name: "Data team", type: "Email", destination: "data-team@example.com" },
    { name: "Pager", type: "Webhook", destination: `${receiver.url}/pager-secret` },
  ];
  for (const recipient of recipients)
    expect((await api("POST", "/recipients", { projectId, ...recipient })).status).toBe(201);
  page = await browser.newPage({ baseURL: service.url });
  await openAs(page, `${service.url}/control-tower`);
  await expect(page).toHaveURL(/\/control-tower/);
});

test.afterAll(async () => {
  await page?.close();
  expect(await service?.stop()).toBe(0);
  await Promise.all([mailServer?.stop(), receiver?.stop()]);
});

/** Chooses from a row's menu. */
async function choose(recipient: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${recipient}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

const rowOf = (recipient: string) => page.getByRole("row").filter({ hasText: recipient });

test("a test message arrives by email, and the row says so", async () => {
  await page.goto("/recipients");
  await choose("Data team", "Send test");
  await expect(rowOf("Data team")).toContainText("The test message was sent");
  expect(mailServer.mails).toMatchObject([
    { to: ["data-team@example.com"], mail: { subject: "Test message for Data team" } },
  ]);
});

test("a failed message says why, and stays in the ledger until it is sent again", async () => {
  receiver.answer = (response) => response.writeHead(503).end();
  await page.goto("/recipients");
  await choose("Pager", "Send test");
  await expect(rowOf("Pager")).toContainText("The receiver returned HTTP 503");

  await choose("Pager", "Deliveries");
  await expect(page).toHaveURL(/\/notifications\?.*recipient=\d+/);
  await expect(page.getByRole("heading", { level: 1, name: "Deliveries" })).toBeVisible();
  const row = rowOf("Test message for Pager");
  await expect(row).toContainText("Failed");
  await expect(row).toContainText("The receiver returned HTTP 503");
  await expect(rowOf("Data team")).toHaveCount(0);
  await expect(page.getByText("pager-secret")).toHaveCount(0);

  receiver.answer = (response) => response.end("ok");
  await row.getByRole("button", { name: /^Retry/ }).click();
  // The page updates by itself.
  await expect(row).toContainText("Sent");
  await expect(row.getByRole("button", { name: /^Retry/ })).toHaveCount(0);

  // Its receiver has lost it since.
  const received = receiver.requests.length;
  await row.getByRole("button", { name: "Test message for Pager", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Test message for Pager" });
  await sheet.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => receiver.requests.length).toBe(received + 1);
  await expect(sheet.getByRole("button", { name: "Send again" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("the filters are in the URL, and an empty list says what to do", async () => {
  await page.goto("/notifications");
  await expect(rowOf("Test message for")).toHaveCount(2);
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Failed" }).click();
  await expect(page).toHaveURL(/status=Failed/);
  await expect(page.getByText("No deliveries match these filters")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rowOf("Test message for")).toHaveCount(2);
  await page.goto("/notifications?status=Sent");
  await expect(rowOf("Test message for")).toHaveCount(2);
});

test("a daily digest arrives at the chosen time, and ends by its link without a sign-in", async ({
  browser,
}) => {
  const before = mailServer.mails.length;
  await page.goto("/profile");
  await page.getByRole("switch", { name: "Daily digest" }).click();
  await page.getByRole("combobox", { name: "On", exact: true }).click();
  await page.getByRole("option", { name: "Every day" }).click();
  const now = await page.evaluate(() => new Date().toTimeString().slice(0, 5));
  await page.getByLabel("At", { exact: true }).fill(now);
  await page.getByRole("switch", { name: "Send it even if nothing is new" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save notifications" }).click();
  await expect(page.getByText("Your notifications are saved")).toBeVisible();

  await turnMinute(dataDir);
  await expect.poll(() => mailServer.mails.length).toBe(before + 1);
  const { mail } = mailServer.mails.at(-1) ?? {};
  expect(mail?.subject).toMatch(/^Daily digest: /);
  const link = /Unsubscribe: (\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
  expect(link).toMatch(/^http:\/\/localhost:\d+\/unsubscribe\?token=/);

  const visitor = await browser.newPage();
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { name: "Unsubscribe?" })).toBeVisible();
  await expectAccessible(visitor);
  const digest = async () => {
    const { body } = await api("GET", "/auth/me/notifications");
    return (body as { digest: object | null }).digest;
  };
  expect(await digest()).toEqual({ at: now, days: "EveryDay", evenIfNothingIsNew: true });
  await visitor.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(visitor.getByRole("heading", { name: "You are unsubscribed" })).toBeVisible();
  expect(await digest()).toBeNull();
  await visitor.goto(`${link}x`);
  await expect(visitor.getByRole("heading", { name: "This link is not valid" })).toBeVisible();
  await visitor.close();
});

test("a delivery interrupted by a crash is sent once more after the restart, under the same ID", async () => {
  receiver.requests.length = 0;
  const arrived = Promise.withResolvers<void>();
  receiver.answer = () => arrived.resolve();
  const { body } = await api("GET", "/recipients");
  const pager = (body as { items: { id: number; name: string }[] }).items.find(
    ({ name }) => name === "Pager",
  );
  const asked = api("POST", `/recipients/${pager?.id}/test`).catch(() => "The service is gone");
  await arrived.promise;
  await service.kill();
  const killedAt = new Date();
  expect(await asked).toBe("The service is gone");

  receiver.answer = (response) => response.end("ok");
  service = await startService(dataDir, settings);
  api = await signIn(service.url);
  const newest = async () => {
    const answer = await api("GET", `/notifications?recipientId=${pager?.id}&pageSize=1`);
    return (answer.body as { items: { status: string; attempts: number }[] }).items[0];
  };
  expect(await newest()).toMatchObject({ status: "Queued", attempts: 1 });
  await endLeases(dataDir, killedAt);
  await turnMinute(dataDir);
  await expect.poll(newest, { timeout: 60_000 }).toMatchObject({ status: "Sent", attempts: 2 });
  const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});
