import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { aSession, aUser, cookieOf } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";

/** Two people edit one subscription: neither loses the changes of the other. */

let query: Awaited<ReturnType<typeof aQuery>>;
let anna: Awaited<ReturnType<typeof aUser>>;
let annas: string;
let bens: string;

beforeAll(async () => {
  query = await aQuery();
  anna = await aUser("Editor");
  annas = await cookieOf(anna);
  bens = await aSession("Editor");
});
afterAll(closeSources);

const fields = (more: object = {}) => ({ queryId: query.id, cronExpression: "0 6 * * *", ...more });
const get = async (id: number) => (await rest("GET", `/subscriptions/${id}`, { cookie: bens })).body;
const put = (id: number, json: object, cookie = bens) =>
  rest("PUT", `/subscriptions/${id}`, { cookie, json });

async function aSubscription(): Promise<number> {
  const { status, body } = await rest("POST", "/subscriptions", { cookie: bens, json: fields() });
  expect({ status, revision: body.revision }).toEqual({ status: 201, revision: 1 });
  return body.id;
}

test("the second of two saves is rejected with who changed what, and overwrites nothing", async () => {
  const id = await aSubscription();
  const { id: recipientId } = await aRecipient({ projectId: query.projectId });
  const condition = { kind: "RowCountAbove", threshold: 10 };
  const first = await put(id, fields({ condition, recipientIds: [recipientId], baseRevision: 1 }), annas);
  expect(first).toMatchObject({ status: 200, body: { revision: 2, condition } });

  const second = await put(id, fields({ timeoutSeconds: 120, baseRevision: 1 }));
  expect(second).toMatchObject({
    status: 409,
    body: {
      revision: 2,
      edits: [
        {
          by: { kind: "User", id: anna.id, name: anna.name },
          changes: [
            { path: "condition", change: "Changed", name: null },
            { path: "recipientIds", change: "Changed", name: null },
          ],
        },
      ],
    },
  });
  expect(second.body.detail).toMatch(new RegExp(`^${anna.name} changed condition and recipientIds at `));
  expect(await get(id)).toEqual(first.body);

  expect(await put(id, fields({ timeoutSeconds: 120 }))).toMatchObject({
    status: 200,
    body: { revision: 3, timeoutSeconds: 120, recipientIds: [] },
  });
});

test("exactly one of several saves from the same revision succeeds", async () => {
  const id = await aSubscription();
  const saves = await Promise.all(
    [61, 62, 63, 64].map((timeoutSeconds) => put(id, fields({ timeoutSeconds, baseRevision: 1 }))),
  );
  expect(saves.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  const won = saves.find(({ status }) => status === 200);
  expect(await get(id)).toMatchObject({ revision: 2, timeoutSeconds: won?.body.timeoutSeconds });
});

test("a save does not end a silence set since it was loaded", async () => {
  const id = await aSubscription();
  const until = "2999-01-01T00:00:00.000Z";
  const silence = () => rest("POST", `/subscriptions/${id}/silence`, { cookie: annas, json: { until } });
  expect((await silence()).body).toMatchObject({ revision: 2, silencedUntil: until });
  // The same silence again is not an edit.
  expect((await silence()).body).toMatchObject({ revision: 2 });
  expect((await put(id, fields({ baseRevision: 1 }))).body).toMatchObject({
    status: 409,
    edits: [{ changes: [{ path: "silencedUntil" }] }],
  });
  expect((await get(id)).silencedUntil).toBe(until);
  expect((await put(id, fields({ silencedUntil: until, baseRevision: 2 }))).status).toBe(200);

  const edits = await rest("GET", `/subscriptions/${id}/edits?since=1`, { cookie: bens });
  expect(
    edits.body.items.map(({ revision, changes }: { revision: number; changes: [] }) => [
      revision,
      changes.length,
    ]),
  ).toEqual([
    [2, 1],
    [3, 0],
  ]);
});
