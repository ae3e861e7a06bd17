import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aContent } from "../../test/factories/notifications.ts";
import { anHttpReceiver } from "../../test/http-receiver.ts";
import type { Message } from "./channel.ts";
import { signatureOf, webhook } from "./webhook.ts";

let receiver: Awaited<ReturnType<typeof anHttpReceiver>>;
const signingSecret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  process.env.PUBLIC_URL = "https://plumbline.example.com";
  receiver = await anHttpReceiver();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer = (response) => response.writeHead(204).end();
});
afterAll(() => receiver.stop());

const message: Message = {
  id: "dlv_17_x",
  projectId: 3,
  cause: { kind: "Evaluation", id: 5 },
  content: aContent({
    table: { columns: ["ö"], rows: [["<b>"], [null]], rowCount: 2 },
    actions: [{ label: "Assign to me", path: "/act/take-task/3" }],
  }),
  createdAt: new Date("2030-01-31T12:00:00Z"),
  attachment: null,
};
const target = (path = "/hook?key=secret") => ({
  name: "Hook",
  destination: receiver.url + path,
  signingSecret,
});
const send = (timeoutMs = 2000) => webhook(target(), message, timeoutMs);

test("Standard Webhooks' own library verifies the message, and rejects a changed one", async () => {
  expect(await send()).toEqual({ isSent: true, answer: "HTTP 204" });
  const { headers, text, path } = receiver.requests[0] ?? { headers: {}, text: "", path: "" };
  expect(path).toBe("/hook?key=secret");
  const verifier = new Webhook(signingSecret);
  const signed = headers as Record<string, string>;
  expect(verifier.verify(text, signed)).toEqual({
    type: "notification.evaluation",
    timestamp: "2030-01-31T12:00:00.000Z",
    data: {
      projectId: 3,
      cause: { kind: "Evaluation", id: 5 },
      title: "[Data Quality] Orders",
      tone: "Critical",
      summary: "Scored 64.29, below the threshold of 80.",
      facts: [
        { label: "Score", value: "64.29" },
        { label: "Table", value: "public.orders" },
      ],
      groups: [],
      table: { columns: ["ö"], rows: [["<b>"], [null]], rowCount: 2 },
      note: null,
      link: { label: "Open the contract", url: "https://plumbline.example.com/data-quality/contracts/7" },
      actions: [{ label: "Assign to me", url: "https://plumbline.example.com/act/take-task/3" }],
    },
  });
  expect(() => verifier.verify(text.replace("64.29", "99.99"), signed)).toThrow();
  expect(() => new Webhook(`whsec_${Buffer.alloc(24, 8).toString("base64")}`).verify(text, signed)).toThrow();
  expect(signed["webhook-id"]).toBe("dlv_17_x");
});

test("the signature matches the standard's own example", () => {
  const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
  const body = '{"email":"test@example.com","username":"test_user"}';
  const given = { id: "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", timestamp: 1_649_367_553, body };
  const theirs = new Webhook(secret).sign(given.id, new Date(given.timestamp * 1000), body);
  expect(signatureOf(given, secret)).toBe(theirs);
});

describe("the receiver's response decides what follows:", () => {
  test.each([200, 201, 202, 204])("%i is success", async (status) => {
    receiver.answer = (response) => response.writeHead(status).end();
    expect(await send()).toEqual({ isSent: true, answer: `HTTP ${status}` });
  });

  test.each([301, 302, 307, 400, 401, 403, 404, 405, 410, 413, 422])("%i is permanent", async (status) => {
    receiver.answer = (response) => response.writeHead(status, { location: `${receiver.url}/next` }).end();
    expect(await send()).toMatchObject({ isSent: false, isFinal: true });
    expect(receiver.requests).toHaveLength(1);
  });

  test.each([408, 429, 500, 502, 503, 504])("%i may change on a retry", async (status) => {
    receiver.answer = (response) => response.writeHead(status).end();
    expect(await send()).toMatchObject({ isSent: false, isFinal: false });
  });

  test("Retry-After is passed on", async () => {
    receiver.answer = (response) => response.writeHead(429, { "retry-after": "90" }).end();
    expect(await send()).toEqual({
      isSent: false,
      isFinal: false,
      reason: "The receiver returned HTTP 429: too many messages",
      retryAfterMs: 90_000,
    });
  });
});

describe("network failures:", () => {
  test("a receiver that does not respond is given up after the time limit", async () => {
    receiver.answer = () => {};
    const startedAt = Date.now();
    expect(await send(300)).toEqual({
      isSent: false,
      isFinal: false,
      reason: "The receiver did not respond in time",
    });
    expect(Date.now() - startedAt).toBeLessThan(2000);
  });

  test("a receiver that disconnects or is unreachable may recover", async () => {
    receiver.answer = (response) => response.destroy();
    expect(await send()).toMatchObject({ isFinal: false, reason: "The receiver closed the connection" });
    const away = { ...target(), destination: "http://127.0.0.1:1/secret" };
    expect(await webhook(away, message, 2000)).toMatchObject({
      isFinal: false,
      reason: "The receiver refused the connection",
    });
  });

  test("no connection is made to an address that is not public", async () => {
    for (const host of ["127.0.0.2", "[::1]", "10.0.0.1", "169.254.169.254", "2130706434"]) {
      const outcome = await webhook(
        { ...target(), destination: `http://${host}:${receiver.port}/` },
        message,
        2000,
      );
      expect(outcome, host).toMatchObject({
        isSent: false,
        isFinal: true,
        reason: expect.stringContaining("not public"),
      });
    }
    expect(receiver.requests).toEqual([]);
  });

  test("no reason repeats the address, which may contain a secret", async () => {
    const outcomes = [];
    for (const status of [302, 404, 500]) {
      receiver.answer = (response, { path }) => response.writeHead(status).end(path);
      outcomes.push(await send());
    }
    outcomes.push(await webhook({ ...target(), destination: "http://secret.invalid/secret" }, message, 2000));
    expect(JSON.stringify(outcomes)).not.toContain("secret");
  });
});
