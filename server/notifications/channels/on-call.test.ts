import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aContent } from "../../test/factories/notifications.ts";
import { anHttpReceiver } from "../../test/http-receiver.ts";
import type { NotificationContent } from "../content.ts";
import { chartPicture } from "../picture/chart-picture.ts";
import { nothingToPage } from "./alert-of.ts";
import type { Message } from "./channel.ts";
import { discord } from "./discord.ts";
import { googleChat } from "./google-chat.ts";
import { ntfy } from "./ntfy.ts";
import { opsgenie } from "./opsgenie.ts";
import { pagerDuty } from "./pagerduty.ts";
import { sms } from "./sms.ts";

/** What each service receives, by its published API, at a real HTTP server. */
let receiver: Awaited<ReturnType<typeof anHttpReceiver>>;

beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  process.env.PUBLIC_URL = "https://plumbline.example.com";
  receiver = await anHttpReceiver();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer = (response) => response.end("{}");
});
afterAll(() => receiver.stop());

const message = (
  content: Partial<NotificationContent> = {},
  cause: Partial<Message["cause"]> = {},
): Message => ({
  id: "dlv_1_x",
  projectId: 1,
  cause: { kind: "Incident", id: 5, ...cause },
  content: aContent({
    title: "public.orders: score 62, below 80",
    tone: "Critical",
    summary: "This critical incident began at noon.",
    facts: [{ label: "Orders", value: "Score 62, below 80" }],
    link: { label: "Open the incident", path: "/incidents/5" },
    actions: [{ label: "Acknowledge", path: "/act/1" }],
    ...content,
  }),
  createdAt: new Date("2030-01-31T12:00:00Z"),
  attachment: null,
});
const over = message({ tone: "Good", title: "Resolved: public.orders" });
const at = (destination: string) => ({ name: "On call", destination, signingSecret: null });
const withUser = (user: string, path = "") => at(`${receiver.url.replace("://", `://${user}@`)}${path}`);
const latest = () => receiver.requests.at(-1);
const accepted = { isSent: true, answer: "HTTP 200" };

describe("PagerDuty", () => {
  const key = "0123456789abcdef0123456789abcdef";

  test("gets an alert that an incident opens, and its end with the same key", async () => {
    expect(await pagerDuty(withUser(key), message(), 2000)).toEqual(accepted);
    expect(latest()).toMatchObject({ path: "/v2/enqueue" });
    expect(latest()?.headers.authorization).toBeUndefined();
    expect(latest()?.json).toEqual({
      routing_key: key,
      dedup_key: "plumbline-incident-5",
      event_action: "trigger",
      payload: {
        summary: "public.orders: score 62, below 80",
        source: "plumbline.example.com",
        severity: "critical",
        custom_details: { summary: "This critical incident began at noon.", Orders: "Score 62, below 80" },
      },
      client: "Plumbline",
      client_url: "https://plumbline.example.com",
      links: [{ href: "https://plumbline.example.com/incidents/5", text: "Open the incident" }],
    });
    expect(await pagerDuty(withUser(key), over, 2000)).toEqual(accepted);
    expect(latest()?.json).toEqual({
      ...{ routing_key: key, dedup_key: "plumbline-incident-5", event_action: "resolve" },
    });
  });

  test("is not woken for good news about what it never knew, nor for a digest", async () => {
    const good = message({ tone: "Good" }, { kind: "Evaluation" });
    expect(await pagerDuty(withUser(key), good, 2000)).toEqual({ isSent: true, answer: nothingToPage });
    const digest = message({ tone: "Critical" }, { kind: "Digest" });
    expect(await pagerDuty(withUser(key), digest, 2000)).toEqual({ isSent: true, answer: nothingToPage });
    expect(receiver.requests).toEqual([]);
    const test = message({ tone: "Good" }, { kind: "Test" });
    expect(await pagerDuty(withUser(key), test, 2000)).toEqual(accepted);
    expect(latest()?.json).toMatchObject({ event_action: "trigger", payload: { severity: "info" } });
  });

  test("its reason for refusing is told, and a busy one is tried again", async () => {
    receiver.answer = (response) =>
      response.writeHead(400).end('{"status":"invalid event","message":"Event object is invalid"}');
    expect(await pagerDuty(withUser(key), message(), 2000)).toMatchObject({
      ...{ isFinal: true, reason: "The receiver returned HTTP 400: Event object is invalid" },
    });
    receiver.answer = (response) => response.writeHead(429, { "retry-after": "7" }).end();
    expect(await pagerDuty(withUser(key), message(), 2000)).toMatchObject({
      ...{ isFinal: false, retryAfterMs: 7000 },
    });
  });
});

describe("Opsgenie", () => {
  const key = "eb243592-faa2-4ba2-a551-1afdf565c889";

  test("gets an alert that an incident opens, and closes it by its alias", async () => {
    expect(await opsgenie(withUser(key), message(), 2000)).toEqual(accepted);
    expect(latest()).toMatchObject({ path: "/v2/alerts", headers: { authorization: `GenieKey ${key}` } });
    expect(latest()?.json).toMatchObject({
      message: "public.orders: score 62, below 80",
      alias: "plumbline-incident-5",
      priority: "P1",
      details: { Orders: "Score 62, below 80" },
    });
    expect(latest()?.json.description).toContain("https://plumbline.example.com/incidents/5");
    expect(await opsgenie(withUser(key), over, 2000)).toEqual(accepted);
    expect(latest()?.path).toBe("/v2/alerts/plumbline-incident-5/close?identifierType=alias");
  });

  test("a long title keeps its limit of 130 characters", async () => {
    await opsgenie(withUser(key), message({ title: "x".repeat(250) }), 2000);
    expect(latest()?.json.message).toHaveLength(130);
    expect(latest()?.json.description).toContain("x".repeat(250));
  });
});

test("Discord gets an embed in which nothing is a mention or formatted", async () => {
  const content = { title: "Orders @everyone **low**", facts: [{ label: "a_b", value: "" }] };
  expect(await discord(at(`${receiver.url}/api/webhooks/1/token`), message(content), 2000)).toEqual(accepted);
  expect(latest()?.json).toMatchObject({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: "✕ Orders @everyone \\*\\*low\\*\\*",
        url: "https://plumbline.example.com/incidents/5",
        fields: [{ name: "a\\_b", value: "–" }],
      },
    ],
  });
  expect(latest()?.json.embeds[0].description).toContain(
    "[Acknowledge](https://plumbline.example.com/act/1)",
  );
});

test("Discord gets the chart as an attached picture", async () => {
  const chart = { name: "Rows of the last 2 runs", values: [0, 3] };
  expect(await discord(at(`${receiver.url}/api/webhooks/1/token`), message({ chart }), 2000)).toEqual(
    accepted,
  );
  const { headers, bytes } = latest() ?? {};
  const type = String(headers?.["content-type"]);
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  expect(JSON.parse(String(form.get("payload_json")))).toMatchObject({
    allowed_mentions: { parse: [] },
    attachments: [{ id: 0, filename: "chart.png", description: "Rows of the last 2 runs: 0 to 3, now 3." }],
    embeds: [{ image: { url: "attachment://chart.png" } }],
  });
  const file = form.get("files[0]") as File;
  expect([file.name, file.type]).toEqual(["chart.png", "image/png"]);
  // The first bytes of every PNG.
  const png = Buffer.from(await file.arrayBuffer());
  expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
  expect(png).toEqual(chartPicture(chart));
});

test("Google Chat shows the chart from its address, where it can fetch it", async () => {
  const chart = { name: "Rows of the last 2 runs", values: [0, 3] };
  const pictureAddress = "https://plumbline.example.com/svc/pictures/7.png?until=1&signature=x";
  const to = at(`${receiver.url}/v1/spaces/A/messages?key=k&token=t`);
  await googleChat(to, { ...message({ chart }), pictureAddress }, 2000);
  expect(latest()?.json.cardsV2[0].card.sections[0].widgets).toContainEqual({
    image: { imageUrl: pictureAddress, altText: "Rows of the last 2 runs: 0 to 3, now 3." },
  });
  await googleChat(to, message({ chart }), 2000);
  expect(latest()?.text).not.toContain("imageUrl");
});

test("Google Chat gets a card whose texts are no HTML, with buttons", async () => {
  const content = { summary: "a < b & c", title: "Orders <b>" };
  await googleChat(at(`${receiver.url}/v1/spaces/A/messages?key=k&token=t`), message(content), 2000);
  expect(latest()?.path).toBe("/v1/spaces/A/messages?key=k&token=t");
  const [{ card }] = latest()?.json.cardsV2 ?? [];
  // A header is plain text, a paragraph is not.
  expect(card.header.title).toBe("✕ Orders <b>");
  expect(card.sections[0].widgets[0]).toEqual({ textParagraph: { text: "a &lt; b &amp; c" } });
  expect(card.sections[0].widgets.at(-1).buttonList.buttons).toEqual([
    {
      text: "Open the incident",
      onClick: { openLink: { url: "https://plumbline.example.com/incidents/5" } },
    },
    { text: "Acknowledge", onClick: { openLink: { url: "https://plumbline.example.com/act/1" } } },
  ]);
});

test("ntfy gets a push message for the topic, urgent if it is critical", async () => {
  expect(
    await ntfy(at(`${receiver.url}/data-team`), message({ title: "Bestellungen: zu wenig – jetzt" }), 2000),
  ).toEqual(accepted);
  expect(latest()).toMatchObject({
    path: "/",
    json: {
      topic: "data-team",
      title: "Bestellungen: zu wenig – jetzt",
      priority: 5,
      click: "https://plumbline.example.com/incidents/5",
      actions: [{ action: "view", label: "Acknowledge", url: "https://plumbline.example.com/act/1" }],
    },
  });
});

describe("SMS", () => {
  const to = () => withUser("AC1:to%2Fken", "/?from=%2B15005550006&to=+4915112345678");

  test("goes to an API like Twilio's, with the account in its header", async () => {
    receiver.answer = (response) => response.writeHead(201).end('{"sid":"SM1"}');
    expect(await sms(to(), message(), 2000)).toEqual({ isSent: true, answer: "HTTP 201" });
    const { path, headers, text } = latest() ?? {};
    expect(path).toBe("/2010-04-01/Accounts/AC1/Messages.json");
    expect(headers?.authorization).toBe(`Basic ${Buffer.from("AC1:to/ken").toString("base64")}`);
    expect(Object.fromEntries(new URLSearchParams(text))).toEqual({
      From: "+15005550006",
      To: "+4915112345678",
      Body: "public.orders: score 62, below 80 https://plumbline.example.com/incidents/5",
    });
  });

  test("its error code is told, and nothing of what was sent", async () => {
    receiver.answer = (response) =>
      response.writeHead(400).end('{"code": 21211, "message": "The To number +49 is not valid"}');
    expect(await sms(to(), message(), 2000)).toEqual({
      ...{ isSent: false, isFinal: true, reason: "The receiver returned HTTP 400: error 21211" },
    });
  });

  test("is at most two segments long", async () => {
    await sms(to(), message({ title: "x".repeat(250) }), 2000);
    expect(new URLSearchParams(latest()?.text).get("Body")?.length).toBeLessThanOrEqual(290);
  });
});
