import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db, sql } from "../db/client.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { aNotification, aRecipient } from "../test/factories/notifications.ts";
import { aSession } from "../test/factories/sessions.ts";
import { anHttpReceiver } from "../test/http-receiver.ts";
import { rest } from "../test/rest-client.ts";
import { attemptDelivery } from "./service/deliver.ts";
import { enqueueNotification } from "./service/enqueue.ts";

let receiver: Awaited<ReturnType<typeof anHttpReceiver>>;
let editor: string;
let viewer: string;

beforeAll(async () => {
  receiver = await anHttpReceiver();
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  [editor, viewer] = await Promise.all([aSession("Editor"), aSession("Viewer")]);
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer = (response) => response.end("ok");
});
afterAll(() => receiver.stop());

const list = async (query: string, cookie = viewer) => rest("GET", `/notifications?${query}`, { cookie });
const aHook = (more: object = {}) =>
  aRecipient({ type: "Webhook", name: "Hook", destination: `${receiver.url}/secret`, ...more });

describe("POST /recipients/{id}/test", () => {
  test("sends a signed message immediately and records it in the ledger", async () => {
    const hook = await aHook();
    const answer = await rest("POST", `/recipients/${hook.id}/test`, { cookie: editor });
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    const [request] = receiver.requests;
    const verified = new Webhook(hook.signingSecret ?? "").verify(
      request?.text ?? "",
      request?.headers as Record<string, string>,
    );
    expect(verified).toMatchObject({
      type: "notification.test",
      data: { cause: { kind: "Test", id: hook.id }, title: "Test message for Hook" },
    });
    const { body } = await list(`recipientId=${hook.id}`);
    expect(body).toEqual({
      items: [
        {
          id: expect.any(Number),
          notificationId: expect.any(Number),
          projectId: hook.projectId,
          recipient: { id: hook.id, name: "Hook" },
          channel: "Webhook",
          subject: "Test message for Hook",
          status: "Sent",
          attempts: 1,
          lastError: null,
          answer: "HTTP 200",
          nextAttemptAt: null,
          createdAt: expect.stringMatching(/Z$/),
          sentAt: expect.stringMatching(/Z$/),
          cause: { kind: "Test", id: hook.id },
          link: { label: "Recipients", path: "/recipients" },
        },
      ],
      page: 0,
      pageSize: 100,
      totalCount: 1,
    });
  });

  test("gives the reason for a failure, and does not retry", async () => {
    receiver.answer = (response) => response.writeHead(503).end();
    const hook = await aHook();
    const answer = await rest("POST", `/recipients/${hook.id}/test`, { cookie: editor });
    expect([answer.status, answer.body]).toEqual([
      200,
      { ok: false, message: "The receiver returned HTTP 503" },
    ]);
    expect((await list(`recipientId=${hook.id}`)).body.items).toMatchObject([
      { status: "Failed", attempts: 1, lastError: "The receiver returned HTTP 503", nextAttemptAt: null },
    ]);
  });

  test("works for a disabled recipient, explains a missing mail server, and shows no address", async () => {
    const off = await aHook({ enabled: false });
    expect((await rest("POST", `/recipients/${off.id}/test`, { cookie: editor })).body).toEqual({ ok: true });
    const mail = await aRecipient();
    expect((await rest("POST", `/recipients/${mail.id}/test`, { cookie: editor })).body).toEqual({
      ok: false,
      message: "No mail server is configured: an operator can set SMTP_URL and MAIL_FROM",
    });
    const inside = await aHook({ destination: "http://10.1.2.3/secret" });
    const { body } = await rest("POST", `/recipients/${inside.id}/test`, { cookie: editor });
    expect(body).toEqual({ ok: false, message: expect.stringContaining("OUTBOUND_ALLOW") });
    expect(JSON.stringify([body, (await list("")).body])).not.toContain("secret");
  });

  test("is not for Viewers, and unknown recipients are not found", async () => {
    const hook = await aHook();
    expect((await rest("POST", `/recipients/${hook.id}/test`, { cookie: viewer })).status).toBe(403);
    expect((await rest("POST", "/recipients/2000000000/test", { cookie: editor })).status).toBe(404);
    await rest("DELETE", `/recipients/${hook.id}`, { cookie: editor });
    expect((await rest("POST", `/recipients/${hook.id}/test`, { cookie: editor })).status).toBe(404);
    expect(
      (await rest("POST", `/recipients/${hook.id}/test`, { cookie: editor, json: { to: "x" } })).status,
    ).toBe(400);
  });
});

describe("GET /notifications", () => {
  test("lists newest first, by page, status, recipient, and project", async () => {
    const project = await aProject();
    const other = await aHook();
    const hook = await aHook({ projectId: project.id });
    for (let i = 0; i < 3; i += 1) await aNotification({ projectId: project.id, recipientIds: [hook.id] });
    await aNotification({ projectId: other.projectId, recipientIds: [other.id] });
    const all = (await list(`projectId=${project.id}`)).body;
    expect(all.totalCount).toBe(3);
    const ids: number[] = all.items.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    await attemptDelivery(ids[1] ?? 0);

    const idsOf = async (query: string) => (await list(query)).body.items.map(({ id }: { id: number }) => id);
    expect(await idsOf(`projectId=${project.id}&status=Sent`)).toEqual([ids[1]]);
    expect(await idsOf(`projectId=${project.id}&status=Queued`)).toEqual([ids[0], ids[2]]);
    expect(await idsOf(`projectId=${project.id}&status=Failed`)).toEqual([]);
    expect(await idsOf(`recipientId=${hook.id}&page=1&pageSize=2`)).toEqual([ids[2]]);
    expect(await idsOf(`recipientId=${hook.id}&projectId=${other.projectId}`)).toEqual([]);
    expect((await list("page=1000000000")).body.items).toEqual([]);
  });

  test("a delivery has what was sent, with personal data masked, and the answer", async () => {
    const hook = await aHook({ name: "Told" });
    const project = hook.projectId;
    const content = {
      title: "Late orders: 2 rows",
      tone: "Warning" as const,
      summary: "Late orders returned 2 rows.",
      facts: [{ label: "Rows", value: "2" }],
      table: { columns: ["id", "email"], rows: [[1, "ada@example.com"]], rowCount: 2 },
      note: "One is attached.",
    };
    const notificationId = await db.transaction((tx) =>
      enqueueNotification(tx, {
        ...{ projectId: project, cause: { kind: "Execution", id: 4711 }, content, recipientIds: [hook.id] },
        csv: { fileName: "late", columns: ["id"], rows: [[1]] },
      }),
    );
    const [queued] = (await list("executionId=4711")).body.items;
    expect(queued).toMatchObject({ notificationId, status: "Queued", answer: null });
    expect((await list("executionId=4712")).body.items).toEqual([]);
    await attemptDelivery(queued.id);
    expect(receiver.requests.at(-1)?.json.data.table.rows).toEqual([[1, "ada@example.com"]]);
    const { body } = await rest("GET", `/notifications/${queued.id}`, { cookie: viewer });
    expect(body).toMatchObject({
      ...{ id: queued.id, status: "Sent", answer: "HTTP 200", recipient: { name: "Told" } },
      message: {
        ...content,
        table: { columns: ["id", "email"], rows: [[1, "•••@•••••••.•••"]], rowCount: 2 },
        maskedColumns: ["email"],
      },
      attachment: { name: expect.stringMatching(/^late.*\.csv$/), isKept: true },
    });
    expect(JSON.stringify(body)).not.toContain("secret");
    expect((await rest("GET", "/notifications/2147483647", { cookie: viewer })).status).toBe(404);
  });

  test("failing deliveries are those that failed in the last seven days or are being retried, without tests", async () => {
    const { id: projectId } = await aProject();
    const hook = await aHook({ projectId });
    for (let i = 0; i < 5; i += 1) await aNotification({ projectId, recipientIds: [hook.id] });
    const inOrder = async (query: string) =>
      (await list(`projectId=${projectId}&${query}`)).body.items
        .map(({ id }: { id: number }) => id)
        .reverse();
    const [sent = 0, lost = 0, old = 0, retried = 0] = await inOrder("");
    await attemptDelivery(sent);
    receiver.answer = (response) => response.writeHead(404).end();
    await attemptDelivery(lost);
    await attemptDelivery(old);
    await sql`update deliveries set failed_at = now() - interval '7 days 1 minute' where id = ${old}`;
    receiver.answer = (response) => response.writeHead(503).end();
    await attemptDelivery(retried);
    await rest("POST", `/recipients/${hook.id}/test`, { cookie: editor });
    expect(await inOrder("failing=true")).toEqual([lost, retried]);
    expect(await inOrder("failing=true&status=Queued")).toEqual([retried]);
    // The four others are the sent one, the old one, the pending one, and the test.
    expect(await inOrder("failing=false")).toHaveLength(6);
  });

  test.each(["status=sent", "pageSize=0", "pageSize=501", "page=-1", "recipientId=x", "kind=Test"])(
    "%s is rejected",
    async (query) => {
      expect((await list(query)).status).toBe(400);
    },
  );
});

describe("POST /notifications/{id}/retry", () => {
  test("queues a failed delivery once; anything else is a conflict", async () => {
    receiver.answer = (response) => response.writeHead(404).end();
    const hook = await aHook();
    await aNotification({ projectId: hook.projectId, recipientIds: [hook.id] });
    const [{ id }] = (await list(`recipientId=${hook.id}`)).body.items;
    const retry = () => rest("POST", `/notifications/${id}/retry`, { cookie: editor });
    expect((await retry()).status).toBe(409);
    await attemptDelivery(id);
    const answer = await retry();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id,
      status: "Queued",
      attempts: 1,
      lastError: "The receiver returned HTTP 404: the address no longer exists",
      nextAttemptAt: expect.any(String),
    });
    expect((await retry()).body).toMatchObject({
      status: 409,
      detail: "Only a failed delivery can be sent again, or one that a webhook has received",
    });
    expect((await rest("POST", `/notifications/${id}/retry`, { cookie: viewer })).status).toBe(403);
    expect((await rest("POST", "/notifications/2000000000/retry", { cookie: editor })).status).toBe(404);
  });
});
