import { createHash, createHmac } from "node:crypto";
import Pusher from "pusher";
import { describe, expect, test } from "vitest";
import { db } from "../db/client.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aUser, cookieOf, endSessionsOf } from "../test/factories/sessions.ts";
import { aHubServer, aListener, aSignedInSocket } from "../test/hub-server.ts";
import { rest } from "../test/rest-client.ts";
import { ownCredentials } from "./credentials.ts";
import { sendToUsers } from "./service.ts";

const credentials = ownCredentials();

describe("publishers", () => {
  test("with the official SDK: to a user, and in a batch", async () => {
    const { port } = await aHubServer();
    const user = await aUser();
    const listener = await aListener(port, await cookieOf(user));
    const publisher = new Pusher({ ...credentials, host: `127.0.0.1:${port}/svc/api/hub` });
    let next = listener.next();
    await publisher.sendToUser(String(user.id), "greeting", { text: "grüß dich" });
    expect(await next).toEqual({ name: "greeting", data: { text: "grüß dich" } });
    next = listener.next();
    await publisher.triggerBatch([
      { channel: `#server-to-user-${user.id}`, name: "in-batch", data: { n: 1 } },
    ]);
    expect(await next).toEqual({ name: "in-batch", data: { n: 1 } });
  });

  test("with the official SDK: rejected for channels, another secret, or another app", async () => {
    const { port } = await aHubServer();
    const host = `127.0.0.1:${port}/svc/api/hub`;
    const publisher = new Pusher({ ...credentials, host });
    await expect(publisher.trigger("approvals", "x", {})).rejects.toMatchObject({ status: 400 });
    await expect(publisher.trigger("private-user-1", "x", {})).rejects.toMatchObject({ status: 400 });
    await expect(publisher.get({ path: "/channels" })).rejects.toMatchObject({ status: 404 });
    const forger = new Pusher({ ...credentials, secret: "guessed", host });
    await expect(forger.sendToUser("1", "x", {})).rejects.toMatchObject({ status: 401 });
    const stranger = new Pusher({ ...credentials, key: "guessed", host });
    await expect(stranger.sendToUser("1", "x", {})).rejects.toMatchObject({ status: 401 });
    const other = new Pusher({ ...credentials, appId: "other", host });
    await expect(other.sendToUser("1", "x", {})).rejects.toMatchObject({ status: 404 });
    await expect(publisher.sendToUser("1", "x", "y".repeat(8_000))).rejects.toMatchObject({ status: 413 });
  });

  /** A request according to the protocol's documentation, built by hand. */
  function signed(changes: Partial<Record<string, string>> = {}, path = "/apps/plumbline/events") {
    const body = JSON.stringify({ name: "x", channel: "#server-to-user-1", data: "{}" });
    const fields = {
      auth_key: credentials.key,
      auth_timestamp: String(Math.floor(Date.now() / 1000)),
      auth_version: "1.0",
      body_md5: createHash("md5").update(body).digest("hex"),
    };
    const query = new URLSearchParams({ ...fields, ...changes });
    query.sort();
    const text = ["POST", path, [...query].map((pair) => pair.join("=")).join("&")].join("\n");
    query.append("auth_signature", createHmac("sha256", credentials.secret).update(text).digest("hex"));
    return { query, body };
  }

  async function post(port: number, { query, body }: { query: URLSearchParams; body: string }) {
    const url = `http://127.0.0.1:${port}/svc/api/hub/apps/plumbline/events?${query}`;
    return (await fetch(url, { method: "POST", body })).status;
  }

  test("by hand: signed as documented, with the path from /apps on or the whole path", async () => {
    const { port } = await aHubServer();
    expect(await post(port, signed())).toBe(200);
    expect(await post(port, signed({}, "/svc/api/hub/apps/plumbline/events"))).toBe(200);
    expect(await post(port, signed({ info: "subscription_count" }))).toBe(200);
  });

  const ago = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds);
  test.each([
    ["an old request", () => signed({ auth_timestamp: ago(700) })],
    ["one from the future", () => signed({ auth_timestamp: ago(-700) })],
    ["a time that is none", () => signed({ auth_timestamp: "now" })],
    ["another version", () => signed({ auth_version: "2.0" })],
    ["another body", () => ({ ...signed(), body: '{"name":"y","channel":"#server-to-user-1","data":"{}"}' })],
    ["no body_md5", () => signed({ body_md5: "" })],
    ["another path", () => signed({}, "/apps/plumbline/batch_events")],
    [
      "a parameter that was added",
      () => {
        const request = signed();
        request.query.append("info", "x");
        return request;
      },
    ],
    [
      "a signature given twice",
      () => {
        const request = signed();
        request.query.append("auth_signature", "x");
        return request;
      },
    ],
    ["no signature", () => ({ ...signed(), query: new URLSearchParams() })],
  ])("by hand: %s is a 401", async (_, make) => {
    const { port } = await aHubServer();
    expect(await post(port, make())).toBe(401);
  });

  test("by hand: an invalid event is a 400, and one too large a 413", async () => {
    const { port } = await aHubServer();
    const bodies = [
      ["", 400],
      ["[]", 400],
      ['{"name":"x","data":{},"channel":"#server-to-user-1"}', 400],
      ['{"name":"x","data":"{}"}', 400],
      ['{"name":"x","data":"{}","channels":[]}', 400],
      ['{"name":"x","data":"{}","channel":"#server-to-user-2147483648"}', 400],
      ['{"name":"x","data":"{}","channel":"#server-to-user-01"}', 400],
      [JSON.stringify({ name: "x", data: "x".repeat(200_000), channel: "#server-to-user-1" }), 413],
    ] as const;
    for (const [body, status] of bodies) {
      const { query } = signed({ body_md5: createHash("md5").update(body).digest("hex") });
      expect(await post(port, { query, body }), body.slice(0, 80)).toBe(status);
    }
  });
});

describe("user-auth", () => {
  async function ask(port: number, body: BodyInit, headers: Record<string, string>) {
    const response = await fetch(`http://127.0.0.1:${port}/svc/api/hub/user-auth`, {
      method: "POST",
      body,
      headers,
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }
  const form = (socketId: string) => new URLSearchParams({ socket_id: socketId });

  test("signs for a session, and only includes the user data that the hub needs", async () => {
    const { port } = await aHubServer();
    const user = await aUser();
    const cookie = await cookieOf(user);
    const { status, body } = await ask(port, form("1.2"), { cookie });
    expect(status).toBe(200);
    expect(JSON.parse(body.user_data ?? "")).toEqual({
      id: String(user.id),
      user_info: { sessionId: expect.any(Number) },
    });
    const hmac = createHmac("sha256", credentials.secret)
      .update(`1.2::user::${body.user_data}`)
      .digest("hex");
    expect(body.auth).toBe(`${credentials.key}:${hmac}`);
    const json = await ask(port, '{"socket_id":"1.2"}', { cookie, "content-type": "application/json" });
    expect(json.status).toBe(200);
  });

  test.each(["", "1", "1.", ".2", "1.2.3", "a.b", "1.2 ", "1.2::user::{}", "-1.2", "1".repeat(30)])(
    "a socket_id of %j is a 400",
    async (socketId) => {
      const { port } = await aHubServer();
      const cookie = await cookieOf(await aUser());
      expect((await ask(port, form(socketId), { cookie })).status).toBe(400);
    },
  );

  test("rejects callers without a session, and pages of other sites", async () => {
    const { port } = await aHubServer();
    const user = await aUser();
    const cookie = await cookieOf(user);
    const { headers: bearer } = await aKey();
    const statusOf = async (body: BodyInit, headers: Record<string, string>) =>
      (await ask(port, body, headers)).status;
    expect(await statusOf(form("1.2"), {})).toBe(401);
    expect(await statusOf(form("1.2"), { cookie: "next-auth.session-token=made-up" })).toBe(401);
    const other = await aUser();
    const ended = await cookieOf(other);
    await endSessionsOf(other);
    expect(await statusOf(form("1.2"), { cookie: ended })).toBe(401);
    expect(await statusOf(form("1.2"), bearer)).toBe(403);
    expect(await statusOf(form("1.2"), { cookie, origin: "https://evil.example" })).toBe(403);
    expect(await statusOf(form("1.2"), { cookie, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await statusOf("socket_id=1.2", { cookie, "content-type": "text/plain" })).toBe(415);
    expect(await statusOf(form("1".repeat(5_000)), { cookie })).toBe(413);
    const twice = new URLSearchParams("socket_id=1.2&socket_id=3.4");
    expect(await statusOf(twice, { cookie })).toBe(400);
    for (const json of ["", "null", "[]", "{", "{}", '{"socket_id":7}'])
      expect(await statusOf(json, { cookie, "content-type": "application/json" }), json).toBe(400);
  });
});

test("config gives signed-in users the hub's address and the public key only", async () => {
  expect((await rest("GET", "/hub/config")).status).toBe(401);
  const { status, body } = await rest("GET", "/hub/config", {
    cookie: await cookieOf(await aUser("Viewer")),
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...{ key: credentials.key, host: "localhost", port: 3000 },
    ...{ path: "/svc/api/hub", tls: false },
  });
});

test("the same secret gives the same credentials, another gives others, and they reveal nothing of it", () => {
  const [a, b] = [ownCredentials("x".repeat(32)), ownCredentials("y".repeat(32))];
  expect(ownCredentials("x".repeat(32))).toEqual(a);
  expect(a.key).not.toBe(b.key);
  expect(a.secret).not.toBe(b.secret);
  expect(JSON.stringify(a)).not.toContain("xxxx");
  expect([a.key.length, a.secret.length]).toEqual([20, 64]);
});

test("an event of the service and one of a publisher arrive alike", async () => {
  const { port } = await aHubServer();
  const user = await aUser();
  const { take } = await aSignedInSocket(port, await cookieOf(user));
  const event = { name: "NotificationCreated", data: { id: 3 } } as const;
  await sendToUsers(db, [user.id], event);
  const first = await take(event.name);
  const publisher = new Pusher({ ...credentials, host: `127.0.0.1:${port}/svc/api/hub` });
  await publisher.sendToUser(String(user.id), event.name, event.data);
  expect(await take(event.name)).toEqual(first);
});
