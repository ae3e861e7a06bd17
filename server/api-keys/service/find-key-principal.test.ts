import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { users } from "../../auth/tables.ts";
import { sql as connection, db } from "../../db/client.ts";
import { handleTrpc as trpcDoor } from "../../doors/trpc.ts";
import { aKey, bearer } from "../../test/factories/api-keys.ts";
import { asAdmin, asViewer } from "../../test/factories/principals.ts";
import { aSession, aUser, cookieOf, endSessionsOf } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";
import { makeRawKey } from "../raw-key.ts";
import { apiKeys } from "../tables.ts";
import { findKeyPrincipal } from "./find-key-principal.ts";

const stored = async (id: number) => {
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, id));
  if (!row) throw new Error("The key is gone");
  return row;
};

/** Invalid keys, each for a different reason. */
async function refusedKeys() {
  const good = (await aKey()).rawKey;
  const revoked = await aKey();
  await db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, revoked.id));
  const expired = await aKey();
  await db
    .update(apiKeys)
    .set({ expiresAt: sql`now() - interval '1 millisecond'` })
    .where(eq(apiKeys.id, expired.id));
  const owner = await asAdmin();
  const ofDisabledUser = await aKey({}, owner);
  await db.update(users).set({ enabled: false }).where(eq(users.id, owner.principal.userId));
  return {
    unknown: makeRawKey(),
    truncated: good.slice(0, -1),
    lengthened: `${good}A`,
    "prefix only": good.slice(0, 16),
    empty: "sk-svc_",
    "another case": good.slice(0, 7) + good.slice(7).toUpperCase(),
    "two at once": `${good}, Bearer ${good}`,
    hash: `sk-svc_${(await stored(expired.id)).hash.toString("hex")}`,
    revoked: revoked.rawKey,
    expired: expired.rawKey,
    "a disabled user's": ofDisabledUser.rawKey,
  };
}

describe("a key that is rejected", () => {
  test.each(["/projects", "/setup/status", "/nothing-here"])(
    "gets the same 401 whatever is wrong with it, at %s",
    async (path) => {
      const answers = await Promise.all(
        Object.entries(await refusedKeys()).map(async ([why, rawKey]) => {
          const { status, headers, body } = await rest("GET", path, { headers: bearer(rawKey) });
          const { requestId, ...rest_ } = body;
          expect(requestId, why).toBe(headers.get("x-request-id"));
          headers.delete("x-request-id");
          return JSON.stringify({ status, headers: [...headers], body: rest_ });
        }),
      );
      expect([...new Set(answers)].map((answer) => JSON.parse(answer))).toEqual([
        {
          status: 401,
          headers: [
            ["cache-control", "no-store"],
            ["content-type", "application/problem+json"],
            ["www-authenticate", "Bearer"],
          ],
          body: {
            type: "/docs/api#problem-unauthenticated",
            title: "Unauthorized",
            status: 401,
            detail: "Invalid or expired API key",
          },
        },
      ]);
    },
  );

  test("does not update its last use", async () => {
    await db.delete(apiKeys);
    for (const rawKey of Object.values(await refusedKeys()))
      await rest("GET", "/projects", { headers: bearer(rawKey) });
    expect(await db.$count(apiKeys, sql`last_used_at is not null`)).toBe(0);
  });

  test("is rejected by tRPC with the same message", async () => {
    for (const rawKey of Object.values(await refusedKeys())) {
      const answer = await trpc("session.setupStatus", bearer(rawKey));
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect((await answer.json()).error).toMatchObject({
        message: "Invalid or expired API key",
        data: { code: "UNAUTHORIZED", httpStatus: 401 },
      });
    }
  });
});

const trpc = (procedure: string, headers: Record<string, string>) =>
  trpcDoor(new Request(`http://localhost:3000/svc/trpc/${procedure}`, { headers }));

test("tRPC accepts a key like REST does", async () => {
  const answer = await trpc("session.me", (await aKey({ scopes: ["Read"] })).headers);
  expect(answer.status).toBe(200);
  expect((await answer.json()).result.data).toMatchObject({ kind: "ApiKey", scopes: ["Read"] });
});

test.each([
  [(key: string) => ({ authorization: `bearer ${key}` })],
  [(key: string) => ({ authorization: `BEARER ${key}` })],
  [(key: string) => ({ authorization: `Bearer  ${key}` })],
  [(key: string) => ({ authorization: key })],
  [(key: string) => ({ authorization: `Basic ${key}` })],
  [(key: string) => ({ "x-api-key": key })],
  [(key: string) => ({ "x-api-key": `Bearer ${key}` })],
])("a good key in the form of %s is nobody's, and no failure of a key", async (headersOf) => {
  const { id, rawKey } = await aKey();
  const headers = headersOf(rawKey) as Record<string, string>;
  const refused = await rest("GET", "/projects", { headers });
  expect([refused.status, refused.body.detail]).toEqual([401, "Authentication is required"]);
  expect((await rest("GET", "/setup/status", { headers })).status).toBe(200);
  expect((await stored(id)).lastUsedAt).toBeNull();
});

describe("with a cookie", () => {
  test("that authenticates, a key is neither checked nor marked as used", async () => {
    const cookie = await aSession("Viewer");
    const { id, headers } = await aKey();
    const me = await rest("GET", "/auth/me", { cookie, headers });
    expect([me.status, me.body.kind, me.body.role]).toEqual([200, "User", "Viewer"]);
    expect((await stored(id)).lastUsedAt).toBeNull();
    for (const rawKey of Object.values(await refusedKeys()))
      expect((await rest("GET", "/auth/me", { cookie, headers: bearer(rawKey) })).status).toBe(200);
  });

  test("that does not, the key counts", async () => {
    const user = await aUser();
    const cookie = await cookieOf(user);
    await endSessionsOf(user);
    const { id, headers } = await aKey();
    expect((await rest("GET", "/auth/me", { cookie, headers })).body.kind).toBe("ApiKey");
    expect((await stored(id)).lastUsedAt).not.toBeNull();
    expect((await rest("GET", "/auth/me", { cookie, headers: bearer(makeRawKey()) })).status).toBe(401);
  });
});

describe("the access of a key", () => {
  test("is limited by its scopes, whoever its user is", async () => {
    const create = (headers: Record<string, string>) =>
      rest("POST", "/projects", { headers, json: { name: "P" } });
    const statusOf = async (scopes: ("Read" | "Execute" | "Admin")[]) =>
      (await create((await aKey({ scopes })).headers)).status;
    expect(await statusOf(["Read"])).toBe(403);
    expect(await statusOf(["Read", "Execute"])).toBe(403);
    // Each scope includes the lower ones.
    expect(await statusOf(["Admin"])).toBe(201);
    const { headers } = await aKey({ scopes: ["Admin"] });
    expect((await rest("GET", "/projects", { headers })).status).toBe(200);
  });

  test("is limited by its user's current role", async () => {
    const by = await asAdmin();
    const { headers } = await aKey({}, by);
    const create = async () => (await rest("POST", "/projects", { headers, json: { name: "P" } })).status;
    expect(await create()).toBe(201);
    await db.update(users).set({ role: "Viewer" }).where(eq(users.id, by.principal.userId));
    expect(await create()).toBe(403);
    expect((await rest("GET", "/projects", { headers })).status).toBe(200);
    await db.update(users).set({ enabled: false }).where(eq(users.id, by.principal.userId));
    expect(await create()).toBe(401);
  });

  test("never includes using it as a password", async () => {
    const json = { current: "a long enough password", next: "another long password" };
    const { headers } = await aKey();
    expect((await rest("POST", "/auth/change-password", { headers, json })).status).toBe(403);
  });

  test("is nothing if no scope is left in storage", async () => {
    const { id, headers } = await aKey();
    await db.update(apiKeys).set({ scopes: [] }).where(eq(apiKeys.id, id));
    expect((await rest("GET", "/projects", { headers })).status).toBe(403);
  });
});

test("the principal is the key, with its user", async () => {
  const by = await asViewer();
  const key = await aKey({ name: "Nightly", scopes: ["Read"] }, by);
  expect(await findKeyPrincipal(new Headers(key.headers), "203.0.113.7")).toEqual({
    kind: "ApiKey",
    userId: by.principal.userId,
    keyId: key.id,
    name: `Nightly (${by.principal.name})`,
    role: "Viewer",
    scopes: ["Read"],
    projectIds: null,
    projectRoles: null,
  });
});

test("keys that are looked up at the same time are each found, or rejected, for what they are", async () => {
  const [one, other, revoked] = [await aKey({ name: "One" }), await aKey({ name: "Other" }), await aKey()];
  const fenced = await aKey({ name: "Fenced", allowedNetworks: ["203.0.113.0/24"] });
  await db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, revoked.id));
  const nameAt = async ({ headers }: { headers: Record<string, string> }, address: string) =>
    findKeyPrincipal(new Headers(headers), address).then(
      (principal) => principal?.name.split(" ")[0],
      (error: Error) => error.message,
    );
  const [inside, outside] = ["203.0.113.7", "198.51.100.9"];
  const asked = [one, revoked, other, one].map((key) => nameAt(key, outside));
  const fencedAsked = [nameAt(fenced, inside), nameAt(fenced, outside), nameAt(fenced, "no address")];
  expect(await Promise.all(asked)).toEqual(["One", "Invalid or expired API key", "Other", "One"]);
  expect(await Promise.all(fencedAsked)).toEqual([
    ...["Fenced", "Invalid or expired API key", "Invalid or expired API key"],
  ]);
  const addressOf = async (id: number) => (await stored(id)).lastUsedAddress;
  expect([await addressOf(one.id), await addressOf(fenced.id), await addressOf(revoked.id)]).toEqual([
    ...[outside, inside, null],
  ]);
});

test("a key that is revoked while others are looked up is rejected by the next lookup", async () => {
  const key = await aKey();
  const find = () => findKeyPrincipal(new Headers(key.headers), "203.0.113.7");
  const before = [find(), find(), find()];
  await Promise.all(before);
  await db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, key.id));
  const outcomes = await Promise.allSettled([find(), find(), find()]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
});

describe("the last use", () => {
  const use = async (headers: Record<string, string>) => {
    expect((await rest("GET", "/projects", { headers })).status).toBe(200);
  };
  const usedAgo = (id: number, ms: number) =>
    db
      .update(apiKeys)
      .set({ lastUsedAt: sql`now() - ${ms} * interval '1 millisecond'` })
      .where(eq(apiKeys.id, id));

  test("is updated by the first use, and by no other in the same second", async () => {
    const { id, headers } = await aKey();
    expect((await stored(id)).lastUsedAt).toBeNull();
    await use(headers);
    const first = (await stored(id)).lastUsedAt;
    expect(Math.abs(Date.now() - Number(first))).toBeLessThan(5000);
    // As if half a second had passed, and then slightly more than one.
    await usedAgo(id, 500);
    const halfASecondAgo = (await stored(id)).lastUsedAt;
    await use(headers);
    expect((await stored(id)).lastUsedAt).toEqual(halfASecondAgo);
    await usedAgo(id, 1001);
    const before = (await stored(id)).lastUsedAt;
    await use(headers);
    expect(Number((await stored(id)).lastUsedAt)).toBeGreaterThan(Number(before) + 1000);
  });

  test("a request does not wait for a lock on its key", async () => {
    const { id, headers } = await aKey();
    await connection.begin(async (tx) => {
      await tx`select from api_keys where id = ${id} for update`;
      // Would wait until this transaction ends, which waits for it: the test would time out.
      await Promise.all(Array.from({ length: 5 }, () => use(headers)));
    });
    expect((await stored(id)).lastUsedAt).toBeNull();
    await use(headers);
    expect((await stored(id)).lastUsedAt).not.toBeNull();
  });

  test("200 concurrent requests with one key are all answered, and update it once a second", async () => {
    const { id, headers } = await aKey();
    await connection.unsafe(`
      create table stamps (key integer, at timestamptz);
      create function note_stamp() returns trigger language plpgsql as
        $$ begin insert into stamps values (new.id, new.last_used_at); return new; end $$;
      create trigger note_stamp after update of last_used_at on api_keys
        for each row execute function note_stamp();`);
    const started = Date.now();
    const statuses: number[] = [];
    let lastSent = started;
    const client = async () => {
      do {
        lastSent = Date.now();
        statuses.push((await rest("GET", "/projects", { headers })).status);
      } while (Date.now() - started < 2500);
    };
    await Promise.all(Array.from({ length: 200 }, client));
    const [used] = await connection<{ at: number }[]>`
      select extract(epoch from last_used_at)::float8 * 1000 as at from api_keys where id = ${id}`;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(statuses.length).toBeGreaterThanOrEqual(200);
    // Updates at 0, 1, and 2 s, and at the latest at 3 s, while the last requests end.
    const gaps = await connection<{ ms: number | null }[]>`
      select extract(epoch from at - lag(at) over (order by at))::float8 * 1000 as ms from stamps where key = ${id}`;
    expect(gaps.length).toBeGreaterThanOrEqual(3);
    for (const { ms } of gaps.slice(1)) expect(ms).toBeGreaterThanOrEqual(1000);
    expect(used?.at).toBeGreaterThan(lastSent - 1000);
  });
});
