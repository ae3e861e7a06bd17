import { eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { aKey, bearer } from "../../test/factories/api-keys.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { rest } from "../../test/rest-client.ts";
import { apiKeys } from "../tables.ts";
import { listKeys } from "./load-keys.ts";
import { rotateKey } from "./rotate-key.ts";

let owner: SignedIn;
beforeAll(async () => {
  owner = await asAdmin();
});
afterEach(() => {
  Object.assign(env(), { KEYS_MAX_DAYS: null });
});

const hour = 3_600_000;
const statusOf = async (rawKey: string) =>
  (await rest("GET", "/projects", { headers: bearer(rawKey) })).status;
const stored = async (id: number) => {
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, id));
  if (!row) throw new Error("The key is gone");
  return row;
};
const post = (id: number, headers: Record<string, string>, json: object = {}) =>
  rest("POST", `/api-keys/${id}/rotate`, { headers, json });

/** Ends the overlap, as if it had passed. */
const pass = (id: number) =>
  db.update(apiKeys).set({ expiresAt: sql`now() - interval '1 ms'` }).where(eq(apiKeys.id, id));

describe("a rotated key", () => {
  test("has a successor that may do the same, and works beside it for as long as was said", async () => {
    const old = await aKey({ name: "Nightly", scopes: ["Execute"], allowedNetworks: ["127.0.0.0/8"] }, owner);
    const before = Date.now();
    const rotated = await rotateKey(owner, { id: old.id, overlapHours: 72 });
    expect(rotated).toMatchObject({
      ...{ name: "Nightly", scopes: ["Execute"], allowedNetworks: ["127.0.0.0/8"], parentKeyId: null },
      ...{ expiresAt: null, replacedById: null, status: "Active", isExpired: false },
      replaces: { id: old.id, name: "Nightly", prefix: old.prefix },
    });
    expect(rotated.rawKey).not.toBe(old.rawKey);
    const end = rotated.replaces.expiresAt.getTime() - before;
    expect(end).toBeGreaterThanOrEqual(72 * hour);
    expect(end).toBeLessThan(72 * hour + 60_000);
    const listed = (await listKeys(owner)).items.find(({ id }) => id === old.id);
    expect(listed).toMatchObject({ replacedById: rotated.id, isExpired: false });
  });

  test("is accepted until its overlap is over, and its successor after that", async () => {
    const old = await aKey({}, owner);
    const { rawKey } = await rotateKey(owner, { id: old.id, overlapHours: 1 });
    expect([await statusOf(old.rawKey), await statusOf(rawKey)]).toEqual([200, 200]);
    await pass(old.id);
    expect([await statusOf(old.rawKey), await statusOf(rawKey)]).toEqual([401, 200]);
  });

  test("ends at once without an overlap", async () => {
    const old = await aKey({}, owner);
    const { rawKey } = await rotateKey(owner, { id: old.id, overlapHours: 0 });
    expect([await statusOf(old.rawKey), await statusOf(rawKey)]).toEqual([401, 200]);
  });

  test("never lives longer than before", async () => {
    const soon = new Date(Date.now() + hour).toISOString();
    const old = await aKey({ expiresAt: soon }, owner);
    const { replaces } = await rotateKey(owner, { id: old.id, overlapHours: 24 });
    expect(replaces.expiresAt.toISOString()).toBe(soon);
  });

  test("ends with the keys that it created", async () => {
    const old = await aKey({}, owner);
    const { body: child } = await rest("POST", "/api-keys", {
      headers: old.headers,
      json: { name: "Child", scopes: ["Read"] },
    });
    const { replaces } = await rotateKey(owner, { id: old.id, overlapHours: 1 });
    expect((await stored(child.id)).expiresAt).toEqual(replaces.expiresAt);
    await pass(old.id);
    expect(await statusOf(child.rawKey)).toBe(401);
  });

  test("is rotated once, even by two at the same time", async () => {
    const old = await aKey({}, owner);
    const answers = await Promise.allSettled(
      [1, 2].map(() => rotateKey(owner, { id: old.id, overlapHours: 1 })),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(answers.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "conflict" },
    });
  });
});

describe("the successor's expiry", () => {
  test("is as far from now as the old one's was from its creation", async () => {
    const old = await aKey({ expiresAt: new Date(Date.now() + 48 * hour).toISOString() }, owner);
    await db
      .update(apiKeys)
      .set({ createdAt: sql`created_at - interval '72 hours'` })
      .where(eq(apiKeys.id, old.id));
    const { expiresAt } = await rotateKey(owner, { id: old.id, overlapHours: 1 });
    expect(Math.abs((expiresAt?.getTime() ?? 0) - Date.now() - 120 * hour)).toBeLessThan(60_000);
  });

  test("is what was asked for, within what the operator allows", async () => {
    Object.assign(env(), { KEYS_MAX_DAYS: 2 });
    const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
    const old = await aKey({ expiresAt: inHours(48) }, owner);
    await expect(
      rotateKey(owner, { id: old.id, overlapHours: 1, expiresAt: inHours(72) }),
    ).rejects.toMatchObject({
      code: "invalid",
    });
    const wanted = inHours(5);
    const { expiresAt } = await rotateKey(owner, { id: old.id, overlapHours: 1, expiresAt: wanted });
    expect(expiresAt?.toISOString()).toBe(wanted);
  });

  test("is never later than that of the key above it", async () => {
    const parentEnd = new Date(Date.now() + 3 * hour).toISOString();
    const parent = await aKey({ expiresAt: parentEnd }, owner);
    const { body: child } = await rest("POST", "/api-keys", {
      headers: parent.headers,
      json: { name: "Child", scopes: ["Read"] },
    });
    const answer = await post(child.id, parent.headers, {
      expiresAt: new Date(Date.now() + 9 * hour).toISOString(),
    });
    expect([answer.status, answer.body.expiresAt, answer.body.parentKeyId]).toEqual([
      201,
      parentEnd,
      parent.id,
    ]);
    await rest("POST", `/api-keys/${parent.id}/revoke`, { headers: parent.headers });
    expect(await statusOf(answer.body.rawKey)).toBe(401);
  });
});

describe("who may not", () => {
  test("a key cannot rotate itself, a sibling, or the key above it", async () => {
    const parent = await aKey({}, owner);
    const { body: child } = await rest("POST", "/api-keys", {
      headers: parent.headers,
      json: { name: "Child", scopes: ["Admin"] },
    });
    const sibling = await aKey({}, owner);
    for (const [headers, id] of [
      [parent.headers, parent.id],
      [parent.headers, sibling.id],
      [bearer(child.rawKey), parent.id],
    ] as const)
      expect((await post(id, headers)).status).toBe(403);
  });

  test("an Admin cannot rotate somebody else's, since it would act in their name", async () => {
    const other = await asAdmin();
    const { id } = await aKey({}, other);
    await expect(rotateKey(owner, { id, overlapHours: 1 })).rejects.toMatchObject({ code: "forbidden" });
    expect((await stored(id)).replacedById).toBeNull();
  });

  test("nobody rotates a key that is revoked, expired, or unknown, or for longer than 30 days", async () => {
    const revoked = await aKey({}, owner);
    await rest("POST", `/api-keys/${revoked.id}/revoke`, { headers: revoked.headers });
    const expired = await aKey({}, owner);
    await pass(expired.id);
    for (const { id } of [revoked, expired])
      await expect(rotateKey(owner, { id, overlapHours: 1 })).rejects.toMatchObject({ code: "conflict" });
    await expect(rotateKey(owner, { id: 2_000_000_000, overlapHours: 1 })).rejects.toMatchObject({
      code: "not_found",
    });
    const { headers, id } = await aKey({}, owner);
    for (const overlapHours of [-1, 721, 1.5, "1"])
      expect((await post(id, headers, { overlapHours })).status, String(overlapHours)).toBe(400);
  });
});
