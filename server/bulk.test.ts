import { beforeAll, expect, test } from "vitest";
import { inBulk, maxInBulk } from "./bulk.ts";
import { db, sql } from "./db/client.ts";
import { aKey } from "./test/factories/api-keys.ts";
import { aDataSource } from "./test/factories/data-sources.ts";
import { aRecipient } from "./test/factories/notifications.ts";
import { asAdmin, asEditor } from "./test/factories/principals.ts";
import { aQuery } from "./test/factories/queries.ts";
import { aSession } from "./test/factories/sessions.ts";
import { aSubscription } from "./test/factories/subscriptions.ts";
import { rest } from "./test/rest-client.ts";

let cookie: string;
let query: Awaited<ReturnType<typeof aQuery>>;

beforeAll(async () => {
  cookie = await aSession();
  query = await aQuery({ dataSource: await aDataSource() }, await asAdmin());
});

const subscriptions = async (count: number) =>
  Promise.all(Array.from({ length: count }, () => aSubscription({ query })));
const send = (path: string, json: object, as: object = { cookie }) =>
  rest("POST", `/bulk/${path}`, { ...as, json });
const stored = async (id: number) => (await rest("GET", `/subscriptions/${id}`, { cookie })).body;
const until = "2999-01-01T00:00:00Z";
const gone = 2_000_000_000;

test("says for each what happened, and does what can be done", async () => {
  const [one, two] = await subscriptions(2);
  const ids = [one?.id ?? 0, gone, two?.id ?? 0, one?.id ?? 0];
  const { status, body } = await send("subscriptions/silence", { ids, until, reason: "A migration" });
  expect([status, body]).toEqual([
    200,
    {
      ...{ done: 2, failed: 1 },
      items: [
        { id: one?.id, ok: true, problem: null },
        { id: gone, ok: false, problem: "Subscription not found" },
        { id: two?.id, ok: true, problem: null },
      ],
    },
  ]);
  expect(await stored(two?.id ?? 0)).toMatchObject({
    ...{ silencedUntil: "2999-01-01T00:00:00.000Z", silenceReason: "A migration", revision: 2 },
  });
  const entries = await sql`
    select object_id, detail from audit_log where action = 'subscriptions.silenceMany' order by object_id`;
  const ofBoth = [one, two].map((each) => ({ object_id: each?.id ?? 0, detail: query.name }));
  expect(entries).toEqual(ofBoth.sort((a, b) => a.object_id - b.object_id));
});

test("more than a transaction's worth are all done", async () => {
  const ids = (await subscriptions(60)).map(({ id }) => id);
  const { body } = await send("subscriptions/enable", { ids, enabled: false });
  expect(body).toMatchObject({ done: 60, failed: 0 });
  expect(await stored(ids[59] ?? 0)).toMatchObject({ enabled: false, nextRunAt: null });
  // Nothing changes the second time: that is done as well, and no edit.
  expect((await send("subscriptions/enable", { ids, enabled: false })).body).toMatchObject({ done: 60 });
  expect(await stored(ids[59] ?? 0)).toMatchObject({ revision: 2 });
  await send("subscriptions/enable", { ids: [ids[0]], enabled: true });
  expect(await stored(ids[0] ?? 0)).toMatchObject({ enabled: true, nextRunAt: expect.any(String) });
});

test("an archived one is gone, and a recipient of another project fits none", async () => {
  const [one, two] = await subscriptions(2);
  const ids = [one?.id ?? 0, two?.id ?? 0];
  const own = await aRecipient({ projectId: query.projectId });
  const other = await aRecipient({});
  expect(
    (await send("subscriptions/add-recipient", { ids, recipientId: other.id })).body.items[0],
  ).toMatchObject({ ok: false, problem: expect.stringContaining("belongs to another project") });
  expect((await send("subscriptions/archive", { ids: [ids[0]] })).body).toMatchObject({ done: 1 });
  expect((await send("subscriptions/add-recipient", { ids, recipientId: own.id })).body).toMatchObject({
    ...{ done: 1, failed: 1 },
  });
  expect((await stored(ids[1] ?? 0)).recipientIds).toEqual([own.id]);
});

test("a key sees only what it may: the rest is not found", async () => {
  const [own] = await subscriptions(1);
  const foreign = await aSubscription({ query: await aQuery({ dataSource: await aDataSource() }) });
  const key = await aKey({ scopes: ["Execute"], allowedProjectIds: [query.projectId] });
  const { body } = await send(
    "subscriptions/silence",
    { ids: [foreign.id, own?.id], until },
    { headers: key.headers },
  );
  expect(body.items.map(({ ok }: { ok: boolean }) => ok)).toEqual([false, true]);
  expect((await stored(foreign.id)).silencedUntil).toBeNull();
});

test.each([
  [{ ids: [] }],
  [{ ids: Array.from({ length: maxInBulk + 1 }, (_, index) => index + 1) }],
  [{ ids: ["1"] }],
  [{ ids: [1], unknown: true }],
  [{}],
])("bad input is refused as a whole", async (json) => {
  expect((await send("subscriptions/archive", json)).status).toBe(400);
});

test("an unexpected error ends the call, and undoes its transaction only", async () => {
  const ctx = await asEditor();
  await sql`create table acted (id int)`;
  const ids = Array.from({ length: 60 }, (_, index) => index + 1);
  const acting = inBulk(ctx, { ids }, async (_, { id }) => {
    await db.execute(`insert into acted values (${id})`);
    if (id === 55) throw new Error("A bug");
    return { name: String(id) };
  });
  await expect(acting).rejects.toThrow("A bug");
  expect(await sql`select count(*)::int as acted from acted`).toEqual([{ acted: 50 }]);
});
