import { createHash, createHmac } from "node:crypto";
import { desc } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jobRuns } from "../jobs/tables.ts";
import { contentSecurityPolicy } from "../process/security-headers.ts";
import { anHttpReceiver } from "../test/http-receiver.ts";

/** With a Pusher-compatible service configured: what it receives over the network, and what clients are told. */
const service = await anHttpReceiver();
Object.assign(process.env, {
  ...{ PUSHER_APP_ID: "17", PUSHER_KEY: "the-key", PUSHER_SECRET: "the-secret" },
  PUSHER_HOST: `http://127.0.0.1:${service.port}`,
});
const { db } = await import("../db/client.ts");
const { startEngine } = await import("../jobs/engine/engine.ts");
const { aUser, cookieOf } = await import("../test/factories/sessions.ts");
const { rest } = await import("../test/rest-client.ts");
const { handleServerCall, handleUserAuth } = await import("../doors/rest/hub.ts");
const { externalOrigin } = await import("./credentials.ts");
const { forwardHubEvent } = await import("./jobs.ts");
const { sendToUsers } = await import("./service.ts");

let engine: Awaited<ReturnType<typeof startEngine>>;
beforeAll(async () => {
  engine = await startEngine([forwardHubEvent], { backoffMs: () => 20 });
});
afterAll(async () => {
  await engine.stop();
  await service.stop();
});

test("committed events arrive, signed, once per user; rolled-back ones do not", async () => {
  const event = { name: "ApprovalUpdated", data: { approvalId: 7, status: "rejected" } } as const;
  const rolledBack = db.transaction(async (tx) => {
    await sendToUsers(tx, [1], event);
    throw new Error("no");
  });
  await expect(rolledBack).rejects.toThrow("no");
  // The first response is a temporary failure.
  service.answer = (response) => {
    response.statusCode = service.requests.length === 1 ? 503 : 200;
    response.end("{}");
  };
  await db.transaction((tx) => sendToUsers(tx, [5, 6, 5], event));
  await engine.idle();

  const bodies = service.requests.map(({ json }) => json);
  expect(bodies.map(({ channels }) => channels)).toEqual([
    ["#server-to-user-5"],
    ["#server-to-user-5"],
    ["#server-to-user-6"],
  ]);
  expect(bodies.at(-1)).toMatchObject({ name: event.name, data: JSON.stringify(event.data) });
  const { path, text } = service.requests.at(-1) ?? { path: "", text: "" };
  const [route, query = ""] = path.split("?");
  expect(route).toBe("/apps/17/events");
  const [signed, signature] = query.split("&auth_signature=");
  expect(new URLSearchParams(query).get("body_md5")).toBe(createHash("md5").update(text).digest("hex"));
  expect(signature).toBe(
    createHmac("sha256", "the-secret").update(`POST\n/apps/17/events\n${signed}`).digest("hex"),
  );
});

test("a job that runs before its transaction has ended waits for it", async () => {
  const { hubEventSent } = await import("./outgoing.ts");
  const { sendEvents } = await import("../jobs/client.ts");
  const { sql } = await import("../db/client.ts");
  const before = service.requests.length;
  const send = (transaction: string) =>
    sendEvents(
      db,
      hubEventSent.create({ userIds: [9], name: "NotificationCreated", data: { id: 1 }, transaction }),
    );
  const numberOf = async (tx: typeof sql) =>
    (await tx<{ number: string }[]>`select pg_current_xact_id()::text as number`)[0]?.number ?? "";
  await sql.begin(async (tx) => {
    // As on Inngest, where a job does not wait for the transaction that sent it.
    await send(await numberOf(tx as unknown as typeof sql));
    // The job has run, and will again: it cannot know yet.
    await expect
      .poll(() => db.select().from(jobRuns).orderBy(desc(jobRuns.id)).limit(1), { timeout: 10_000 })
      .toMatchObject([{ status: "Waiting", attempt: 1, error: "Not committed yet" }]);
    expect(service.requests.length).toBe(before);
  });
  await engine.idle();
  expect(service.requests.length).toBe(before + 1);

  let lost = "";
  await sql
    .begin(async (tx) => {
      lost = await numberOf(tx as unknown as typeof sql);
      throw new Error("no");
    })
    .catch(() => {});
  await send(lost);
  await engine.idle();
  expect(service.requests.length).toBe(before + 1);
});

test("clients get the service's address, sign in for it, and the page's policy lets them connect", async () => {
  const cookie = await cookieOf(await aUser());
  const { body } = await rest("GET", "/hub/config", { cookie });
  expect(body).toEqual({ key: "the-key", host: "127.0.0.1", port: service.port, path: "", tls: false });
  const answer = await handleUserAuth(
    new Request("http://localhost:3000/svc/api/hub/user-auth", {
      method: "POST",
      body: new URLSearchParams({ socket_id: "1.2" }),
      headers: { cookie },
    }),
  );
  const { auth, user_data } = (await answer.json()) as { auth: string; user_data: string };
  expect(Object.keys(JSON.parse(user_data))).toEqual(["id"]);
  const hmac = createHmac("sha256", "the-secret").update(`1.2::user::${user_data}`).digest("hex");
  expect(auth).toBe(`the-key:${hmac}`);
  const policy = contentSecurityPolicy({ isDev: false, hub: externalOrigin() })("n");
  expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${service.port};`);
});

test("publishers are served there, not here", async () => {
  const call = new Request("http://localhost:3000/svc/api/hub/apps/17/events", {
    method: "POST",
    body: "{}",
  });
  expect((await handleServerCall(call)).status).toBe(404);
});
