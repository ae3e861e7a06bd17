import { join } from "node:path";
import { expect } from "@playwright/test";
import { slackSignatureOf } from "../server/doors/chat/slack-signature.ts";
import { anHttpReceiver } from "../server/test/http-receiver.ts";
import { expectAccessible } from "./accessible.ts";
import { prepareFolder } from "./data-folders.ts";
import { enter } from "./enter.ts";
import { freePort, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** An account in Slack is linked by the link that its first press returns, and unlinked in the profile. */
const dataDir = join(scratch, "chat");
const secret = "a-signing-secret-of-this-journey";
let slack: Awaited<ReturnType<typeof anHttpReceiver>>;
let service: Service;

test.beforeAll(async () => {
  await prepareFolder(dataDir);
  slack = await anHttpReceiver();
  const port = String(await freePort());
  service = await startService(dataDir, {
    ...{ PORT: port, OUTBOUND_ALLOW: "127.0.0.1", SLACK_SIGNING_SECRET: secret },
    ...{ SLACK_BOT_TOKEN: "xoxb-of-this-journey", SLACK_API_URL: `${slack.url}/api` },
  });
});

test.afterAll(async () => {
  expect(await service?.stop()).toBe(0);
  await slack?.stop();
});

/** Presses a button as Slack reports it, and returns what is said in return. */
async function pressed(): Promise<string> {
  const payload = {
    ...{ type: "block_actions", user: { id: "U123", team_id: "T123", username: "grace.hopper" } },
    response_url: `${slack.url}/actions/1`,
    message: { text: "Orders", blocks: [] },
    actions: [{ block_id: "plumbline-buttons", value: "acknowledge-incident:1::" }],
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload), n: String(Math.random()) }).toString();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const { status } = await fetch(`${service.url}/svc/chat/slack`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": slackSignatureOf({ timestamp, body: Buffer.from(body) }, secret),
    },
    body,
  });
  expect(status).toBe(200);
  await expect.poll(() => slack.requests.length).toBeGreaterThan(0);
  return slack.requests.splice(0)[0]?.json.text;
}

test("an account is linked by whoever signs in, once, and unlinked in the profile", async ({ page }) => {
  const told = await pressed();
  expect(told).toContain("not linked");
  const link = /<([^|]+)\|Link your account>/.exec(told)?.[1] ?? "";
  expect(link).toMatch(/^http:\/\/localhost:\d+\/link-chat\?token=/);

  // Whoever is not signed in signs in first, and is led back.
  await enter(page, link);
  await expect(page.getByRole("heading", { name: "Link your Slack account" })).toBeVisible();
  await expect(page.getByText("grace.hopper in Slack, workspace T123")).toBeVisible();
  await expectAccessible(page);
  // Opening it changes nothing.
  expect(await pressed()).toContain("not linked");
  await page.getByRole("button", { name: "Link account" }).click();
  await expect(page.getByRole("status")).toContainText("it now acts as you");
  expect(await pressed()).toContain("Incident not found");

  await page.getByRole("link", { name: "Open your profile" }).click();
  const accounts = page.getByRole("list", { name: "Chat accounts" });
  await expect(accounts.getByRole("listitem")).toHaveText(/grace\.hopper.*Slack, workspace T123/);
  await expectAccessible(page);
  await accounts.getByRole("button", { name: "Unlink grace.hopper in Slack" }).click();
  await expect(page.getByText("None is linked.")).toBeVisible();
  expect(await pressed()).toContain("not linked");

  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Link your Slack account" })).toBeVisible();
  await page.getByRole("button", { name: "Link account" }).click();
  await expect(page.getByText("The link has expired or was used")).toBeVisible();
});
