import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { appRouter } from "../../app-router.ts";
import { auditLog } from "../../audit/tables.ts";
import { users } from "../../auth/tables.ts";
import { sql as connection, db } from "../../db/client.ts";
import { createContext } from "../../doors/context.ts";
import { aKey, bearer } from "../../test/factories/api-keys.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { rest } from "../../test/rest-client.ts";
import { createCallerFactory } from "../../trpc.ts";
import { makeRawKey } from "../raw-key.ts";
import { apiKeys } from "../tables.ts";
import { createKey } from "./create-key.ts";
import { findKeyPrincipal } from "./find-key-principal.ts";
import { revokeKey } from "./revoke-key.ts";

type Holder = { headers: Record<string, string> };

beforeEach(() => db.delete(apiKeys));

/** A key created by a key, over REST. */
async function childOf({ headers }: Holder, more: object = {}) {
  const json = { name: "Child", scopes: ["Admin"], ...more };
  const { status, body } = await rest("POST", "/api-keys", { headers, json });
  expect(status).toBe(201);
  return { ...body, headers: bearer(body.rawKey) } as Holder & {
    id: number;
    parentKeyId: number | null;
    expiresAt: string | null;
  };
}

const byTrpc = async ({ headers }: Holder) =>
  createCallerFactory(appRouter)(await createContext(new Headers(headers)));

const statusOf = async ({ headers }: Holder) => (await rest("GET", "/projects", { headers })).status;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

describe("a key created by a key", () => {
  test("has its parent; one created by a person has none", async () => {
    const maker = await aKey();
    expect(maker.parentKeyId).toBeNull();
    expect((await childOf(maker)).parentKeyId).toBe(maker.id);
  });

  test.each([
    ["left out", {}, "2999-01-01T00:00:00.000Z"],
    ["null", { expiresAt: null }, "2999-01-01T00:00:00.000Z"],
    ["later", { expiresAt: "2999-06-01T00:00:00Z" }, "2999-01-01T00:00:00.000Z"],
    ["earlier", { expiresAt: "2998-06-01T00:00:00Z" }, "2998-06-01T00:00:00.000Z"],
  ])("of an end that is %s ends with its maker at the latest", async (_, wanted, end) => {
    const maker = await aKey({ expiresAt: "2999-01-01T00:00:00Z" });
    expect((await childOf(maker, wanted)).expiresAt).toBe(end);
    // Over tRPC, too.
    const made = await (await byTrpc(maker)).apiKeys.create({ name: "C", scopes: ["Read"], ...wanted });
    expect(made.expiresAt).toBe(end);
  });

  test("with a parent that does not expire has the requested expiry", async () => {
    const maker = await aKey();
    expect((await childOf(maker)).expiresAt).toBeNull();
    expect((await childOf(maker, { expiresAt: "2998-06-01T00:00:00Z" })).expiresAt).toBe(
      "2998-06-01T00:00:00.000Z",
    );
  });

  test("ends with a parent that expires in seconds, and so do its own children", async () => {
    const maker = await aKey({ expiresAt: inSeconds(3600) });
    const child = await childOf(maker);
    const grandchild = await childOf(child);
    expect(await statusOf(grandchild)).toBe(200);
    // As if the hour had passed, only for the parent: the others are rejected because of it anyway.
    await db
      .update(apiKeys)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(apiKeys.id, maker.id));
    for (const key of [maker, child, grandchild]) expect(await statusOf(key)).toBe(401);
  });

  test("does not work for a disabled user", async () => {
    const by = await asAdmin();
    const child = await childOf(await aKey({}, by));
    await db.update(users).set({ enabled: false }).where(eq(users.id, by.principal.userId));
    expect(await statusOf(child)).toBe(401);
  });
});

describe("revoking", () => {
  test("ends every descendant immediately, and no other key", async () => {
    const maker = await aKey({ name: "Root" });
    const first = await childOf(maker, { name: "First" });
    const below = await childOf(first, { name: "Below" });
    const second = await childOf(maker, { name: "Second" });
    const other = await aKey();
    const { status, body } = await rest("POST", `/api-keys/${first.id}/revoke`, maker);
    expect([status, body.status]).toEqual([200, "Revoked"]);
    expect(body.revokedWithIt).toEqual([{ id: below.id, name: "Below", prefix: expect.any(String) }]);
    expect(await statusOf(first)).toBe(401);
    expect(await statusOf(below)).toBe(401);
    for (const key of [maker, second, other]) expect(await statusOf(key)).toBe(200);
    const again = await rest("POST", `/api-keys/${first.id}/revoke`, maker);
    expect([again.status, again.body]).toEqual([200, body]);

    const whole = await rest("POST", `/api-keys/${maker.id}/revoke`, other);
    expect(whole.body.revokedWithIt).toMatchObject([{ name: "Second" }]);
    expect(await statusOf(second)).toBe(401);
    const [entry] = await db
      .select({ detail: auditLog.detail })
      .from(auditLog)
      .where(and(eq(auditLog.action, "apiKeys.revoke"), eq(auditLog.objectId, maker.id)));
    expect(entry?.detail).toBe(`Root, and the key made with it: Second (${second.id})`);
  });

  test("over tRPC does the same", async () => {
    const maker = await aKey();
    const child = await childOf(maker);
    const { revokedWithIt } = await (await byTrpc(maker)).apiKeys.revoke({ id: maker.id });
    expect(revokedWithIt).toMatchObject([{ id: child.id }]);
    expect(await statusOf(child)).toBe(401);
  });

  test("leaves alone a key that replaces another of the same parent", async () => {
    const maker = await aKey();
    const old = await childOf(maker);
    const next = await childOf(maker);
    await rest("POST", `/api-keys/${old.id}/revoke`, maker);
    expect(await statusOf(old)).toBe(401);
    expect(await statusOf(next)).toBe(200);
    // A key's own replacement, created by it, is revoked with it.
    const successor = await childOf(next);
    await rest("POST", `/api-keys/${next.id}/revoke`, successor);
    expect(await statusOf(successor)).toBe(401);
  });

  test("leaves no working key at any depth, even if keys are being created concurrently", async () => {
    const by = await asAdmin();
    for (let round = 0; round < 5; round++) {
      const root = await aKey({}, by);
      const child = await childOf(root);
      const principals = await Promise.all(
        [root, child].map(async ({ headers }) => {
          const principal = await findKeyPrincipal(new Headers(headers), "203.0.113.7");
          if (!principal) throw new Error("The key is valid");
          return { ...by, principal };
        }),
      );
      const makings = principals.flatMap((maker) =>
        Array.from({ length: 4 }, () => createKey(maker, { name: "Raced", scopes: ["Read"] })),
      );
      const outcomes = await Promise.allSettled([revokeKey(by, root.id), ...makings]);
      for (const each of outcomes)
        if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "unauthenticated" });
      expect(outcomes[0]?.status).toBe("fulfilled");
      const left = await connection`
        select id from api_keys where revoked_at is null and user_id = ${by.principal.userId}`;
      expect(left).toEqual([]);
    }
  });

  test("succeeds for two keys of one line at the same time", async () => {
    const by = await asAdmin();
    for (let round = 0; round < 5; round++) {
      const root = await aKey({}, by);
      const child = await childOf(root);
      for (let count = 0; count < 5; count++) await childOf(child);
      const both = await Promise.allSettled([revokeKey(by, child.id), revokeKey(by, root.id)]);
      expect(both.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    }
  });
});

test("a key that should not exist, below a revoked one, does not work", async () => {
  const maker = await aKey();
  const child = await childOf(maker);
  const grandchild = await childOf(child);
  // What no API does: the line is broken only in the middle.
  await db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, child.id));
  expect(await statusOf(grandchild)).toBe(401);
  expect(await statusOf(maker)).toBe(200);
  const unknown = await rest("GET", "/projects", { headers: bearer(makeRawKey()) });
  const refused = await rest("GET", "/projects", grandchild);
  expect(refused.body.detail).toBe(unknown.body.detail);
  await db.update(apiKeys).set({ revokedAt: null }).where(eq(apiKeys.id, child.id));
  expect(await statusOf(grandchild)).toBe(200);
});
