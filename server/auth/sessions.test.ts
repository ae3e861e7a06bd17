import { createHash } from "node:crypto";
import { decode } from "next-auth/jwt";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db, sql } from "../db/client.ts";
import { addressHeader } from "../request-headers.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { cookieFrom, nextAuth } from "../test/next-auth.ts";
import { rest } from "../test/rest-client.ts";
import { endFormerSession, findCookiePrincipal } from "./cookie-session.ts";
import { hashPassword } from "./password.ts";
import { beginSession } from "./service/begin-session.ts";
import { removeOldSessions } from "./service/end-sessions.ts";
import { rateLimits, users } from "./tables.ts";

const origin = "http://localhost:3000";
const password = "correct horse battery";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
let passwordHash: string;

beforeAll(async () => {
  process.env.NEXTAUTH_URL = `${origin}/svc/api/auth`;
  passwordHash = await hashPassword(password);
});

beforeEach(() => db.delete(rateLimits));

let count = 0;

/** A user with a password and this role. */
async function aPerson(role: "Viewer" | "Editor" | "Admin" = "Viewer") {
  count += 1;
  const email = `person-${count}@example.com`;
  const [user] = await db
    .insert(users)
    .values({ name: `Person ${count}`, email, role, passwordHash })
    .returning();
  if (!user) throw new Error("The insert returned no user");
  return user;
}

/** Calls next-auth as in production, and returns the browser's session cookie. */
async function call(path: string, fields: Record<string, string>, cookie = "") {
  const segments = path.split("/");
  const csrf = await nextAuth(new Request(`${origin}/svc/api/auth/csrf`), ["csrf"]);
  const { csrfToken } = (await csrf.clone().json()) as { csrfToken: string };
  const request = new Request(`${origin}/svc/api/auth/${path}`, {
    method: "POST",
    headers: {
      cookie: [cookieFrom(csrf), cookie].filter(Boolean).join("; "),
      "user-agent": firefox,
      [addressHeader]: "203.0.113.7",
    },
    body: new URLSearchParams({ csrfToken, json: "true", ...fields }),
  });
  const former = await findCookiePrincipal(request.headers);
  const response = await nextAuth(request, segments);
  await endFormerSession(former, response);
  return cookieFrom(response);
}

const signIn = ({ email }: { email: string }, cookie?: string) =>
  call("callback/credentials", { email, password }, cookie);

const me = async (cookie: string) => (await rest("GET", "/auth/me", { cookie })).status;
const list = async (cookie: string) => (await rest("GET", "/auth/sessions", { cookie })).body.items;
const rowsOf = ({ id }: { id: number }) =>
  sql`select *, encode(token_hash, 'hex') as hash from sessions where user_id = ${id} order by id`;

describe("signing in", () => {
  test("creates a row with where it came from, and with only a hash of the cookie", async () => {
    const user = await aPerson();
    const cookie = await signIn(user);
    const [row] = await rowsOf(user);
    expect(row).toMatchObject({
      ...{ user_id: user.id, signed_in_by: "Password", address: "203.0.113.7", user_agent: firefox },
      ...{ ended_at: null, end_reason: null },
    });
    const value = /session-token=([^;]+)/.exec(cookie)?.[1] ?? "";
    const content = await decode({ token: value, secret: process.env.NEXTAUTH_SECRET ?? "" });
    const { session } = content as { session: string };
    expect(session).toMatch(/^[\w-]{43}$/);
    expect(row?.hash).toBe(createHash("sha256").update(session).digest("hex"));
    const stored = JSON.stringify(row);
    expect([stored.includes(session), stored.includes(value)]).toEqual([false, false]);
    expect(Object.keys(content ?? {}).sort()).toEqual(["exp", "iat", "jti", "session"]);
  });

  test("in a browser with a session ends that one, and a wrong password does not", async () => {
    const user = await aPerson();
    const first = await signIn(user);
    await call("callback/credentials", { email: user.email, password: "not the password" }, first);
    expect(await me(first)).toBe(200);
    const second = await signIn(user, first);
    expect([await me(first), await me(second)]).toEqual([401, 200]);
    expect((await rowsOf(user)).map(({ end_reason }) => end_reason)).toEqual(["Replaced", null]);
  });

  test("is shown in /auth/me with the session and the sign-in method", async () => {
    const user = await aPerson();
    const { body } = await rest("GET", "/auth/me", { cookie: await signIn(user) });
    const [row] = await rowsOf(user);
    expect(body.session).toEqual({ id: row?.id, signedInBy: "Password", secondFactor: null });
    const key = await aKey({}, await asAdmin());
    expect((await rest("GET", "/auth/me", { headers: key.headers })).body.session).toBeNull();
  });

  test("creates no session for a user who was disabled, or whose password changed, meanwhile", async () => {
    const facts = { signedInBy: "Password", address: "", userAgent: "" } as const;
    const [disabled, changed] = [await aPerson(), await aPerson()];
    await sql`update users set enabled = false where id = ${disabled.id}`;
    await sql`update users set password_hash = 'another' where id = ${changed.id}`;
    expect(await beginSession(disabled, facts)).toBeNull();
    expect(await beginSession(changed, facts)).toBeNull();
    expect(await rowsOf(changed)).toHaveLength(0);
  });

  test("leaves at most a hundred sessions per user, ending the longest unused", async () => {
    const user = await aPerson();
    await sql`
      insert into sessions (token_hash, user_id, signed_in_by, last_used_at)
      select sha256(n::text::bytea), ${user.id}, 'Password', now() - n * interval '1 second'
      from generate_series(1, 100) n`;
    await signIn(user);
    const ended = (await rowsOf(user)).filter(({ ended_at }) => ended_at !== null);
    expect(ended.map(({ hash, end_reason }) => [hash, end_reason])).toEqual([
      [createHash("sha256").update("100").digest("hex"), "TooMany"],
    ]);
  });
});

describe("what ends a session, including for a copied cookie", () => {
  test("signing out, without affecting the user's other sessions", async () => {
    const user = await aPerson();
    const [here, elsewhere] = [await signIn(user), await signIn(user)];
    const copy = here;
    await call("signout", {}, here);
    expect([await me(copy), await me(elsewhere)]).toEqual([401, 200]);
    expect((await rowsOf(user)).map(({ end_reason }) => end_reason)).toEqual(["SignedOut", null]);
  });

  test("disabling the user; enabling them again restores no session", async () => {
    const user = await aPerson();
    const cookie = await cookieOf(user);
    const admin = await cookieOf(await aUser("Admin"));
    const set = (enabled: boolean) =>
      rest("PUT", `/users/${user.id}`, { cookie: admin, json: { name: "P", role: "Viewer", enabled } });
    await set(false);
    expect(await me(cookie)).toBe(401);
    await set(true);
    expect(await me(cookie)).toBe(401);
    expect(await me(await signIn(user))).toBe(200);
  });

  test("a password change", async () => {
    const user = await aPerson();
    const [here, elsewhere] = [await cookieOf(user), await cookieOf(user)];
    const change = { current: password, next: "another long passphrase" };
    await rest("POST", "/auth/change-password", { cookie: here, json: change });
    expect([await me(here), await me(elsewhere)]).toEqual([401, 401]);
  });

  test("being idle for 72 hours", async () => {
    const user = await aPerson();
    const cookie = await cookieOf(user);
    const unusedFor = (time: string) =>
      sql`update sessions set created_at = now() - interval '10 days', last_used_at = now() - ${time}::interval where user_id = ${user.id}`;
    await unusedFor("71 hours 59 minutes");
    expect(await me(cookie)).toBe(200);
    await unusedFor("72 hours 1 second");
    expect(await me(cookie)).toBe(401);
  });

  test("being 30 days old, even if in use", async () => {
    const user = await aPerson();
    const cookie = await cookieOf(user);
    const isOld = (time: string) =>
      sql`update sessions set created_at = now() - ${time}::interval, last_used_at = now() where user_id = ${user.id}`;
    await isOld("29 days 23 hours 59 minutes");
    expect(await me(cookie)).toBe(200);
    await isOld("30 days 1 second");
    expect(await me(cookie)).toBe(401);
  });

  test("a cookie from before sessions were stored is invalid", async () => {
    const user = await aPerson();
    const { encode } = await import("next-auth/jwt");
    const token = { sub: String(user.id), sessionEpoch: 0 };
    const old = await encode({ token, secret: process.env.NEXTAUTH_SECRET ?? "" });
    expect(await me(`next-auth.session-token=${old}`)).toBe(401);
  });
});

test("use is recorded at most once a minute", async () => {
  const user = await aPerson();
  const cookie = await cookieOf(user);
  const usedAgo = async () => {
    await me(cookie);
    const [row] = await sql`
      select round(extract(epoch from now() - last_used_at))::integer as seconds
      from sessions where user_id = ${user.id}`;
    return Number(row?.seconds);
  };
  await sql`update sessions set last_used_at = now() - interval '50 seconds' where user_id = ${user.id}`;
  expect(await usedAgo()).toBeGreaterThanOrEqual(50);
  await sql`update sessions set last_used_at = now() - interval '61 seconds' where user_id = ${user.id}`;
  expect(await usedAgo()).toBeLessThan(30);
});

describe("your own sessions", () => {
  test("are listed, with the current one marked, without their cookies", async () => {
    const user = await aPerson();
    const [older, current] = [await signIn(user), await signIn(user)];
    await sql`update sessions set last_used_at = now() - interval '1 hour', created_at = now() - interval '3 days'
      where id = (select min(id) from sessions where user_id = ${user.id})`;
    const items = await list(current);
    expect(items.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([true, false]);
    expect(items[1]).toEqual({
      ...{
        id: expect.any(Number),
        signedInBy: "Password",
        secondFactor: null,
        address: "203.0.113.7",
        userAgent: firefox,
      },
      ...{ createdAt: expect.any(String), lastUsedAt: expect.any(String), isCurrent: false },
      expiresAt: new Date(Date.parse(items[1].lastUsedAt) + 72 * 3_600_000).toISOString(),
    });
    expect((await list(older)).map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([
      true,
      false,
    ]);
  });

  test("can be ended individually; another user's, and ended ones, are not found", async () => {
    const [user, other] = [await aPerson(), await aPerson()];
    const [here, elsewhere, others] = [await cookieOf(user), await cookieOf(user), await cookieOf(other)];
    const [{ id: elsewhereId }] = (await list(here)).filter(
      ({ isCurrent }: { isCurrent: boolean }) => !isCurrent,
    );
    const [{ id: othersId }] = await list(others);
    const revoke = async (id: number) =>
      (await rest("POST", `/auth/sessions/${id}/revoke`, { cookie: here, json: {} })).status;
    expect(await revoke(othersId)).toBe(404);
    expect(await me(others)).toBe(200);
    expect(await revoke(elsewhereId)).toBe(204);
    expect([await me(elsewhere), await me(here)]).toEqual([401, 200]);
    expect(await revoke(elsewhereId)).toBe(404);
  });

  test("can be ended all at once, with or without the current one", async () => {
    const user = await aPerson();
    const other = await cookieOf(await aPerson());
    const [here, second, third] = [await cookieOf(user), await cookieOf(user), await cookieOf(user)];
    const everywhere = (json: object) => rest("POST", "/auth/sign-out-everywhere", { cookie: here, json });
    expect((await everywhere({})).body).toEqual({ ended: 2 });
    expect([await me(here), await me(second), await me(third)]).toEqual([200, 401, 401]);
    await cookieOf(user);
    expect((await everywhere({ keepCurrent: false })).body).toEqual({ ended: 2 });
    expect([await me(here), await me(other)]).toEqual([401, 200]);
  });

  test("are not accessible to a key, whatever its scopes", async () => {
    const owner = await asAdmin();
    await cookieOf({ id: owner.principal.userId });
    const { headers } = await aKey({}, owner);
    for (const [method, path] of [
      ["GET", "/auth/sessions"],
      ["POST", "/auth/sessions/1/revoke"],
      ["POST", "/auth/sign-out-everywhere"],
    ] as const)
      expect((await rest(method, path, { headers, ...(method === "POST" && { json: {} }) })).status).toBe(
        403,
      );
  });
});

describe("an Admin", () => {
  test("lists and ends the sessions of any user; nobody else does", async () => {
    const user = await aPerson("Editor");
    const cookie = await cookieOf(user);
    const admin = await cookieOf(await aUser("Admin"));
    const others = [cookie, await cookieOf(await aUser("Editor")), await cookieOf(await aUser("Viewer"))];
    const path = `/users/${user.id}/sessions`;
    const [{ id, isCurrent }] = (await rest("GET", path, { cookie: admin })).body.items;
    expect(isCurrent).toBe(false);
    for (const other of others) {
      expect((await rest("GET", path, { cookie: other })).status).toBe(403);
      expect((await rest("POST", `${path}/${id}/revoke`, { cookie: other, json: {} })).status).toBe(403);
      expect((await rest("POST", `/users/${user.id}/sign-out`, { cookie: other, json: {} })).status).toBe(
        403,
      );
    }
    expect(await me(cookie)).toBe(200);
    expect((await rest("POST", `${path}/${id}/revoke`, { cookie: admin, json: {} })).status).toBe(204);
    expect(await me(cookie)).toBe(401);
    await cookieOf(user);
    await cookieOf(user);
    const out = await rest("POST", `/users/${user.id}/sign-out`, { cookie: admin, json: {} });
    expect([out.status, out.body]).toEqual([200, { ended: 2 }]);
    expect((await rowsOf(user)).map(({ end_reason }) => end_reason)).toEqual([
      "RevokedByAdmin",
      "RevokedByAdmin",
      "RevokedByAdmin",
    ]);
  });

  test("finds a session only under its own user, and no unknown users", async () => {
    const [user, other] = [await aPerson(), await aPerson()];
    const cookie = await cookieOf(user);
    const admin = await cookieOf(await aUser("Admin"));
    const [{ id }] = await list(cookie);
    const statusOf = async (method: string, path: string) =>
      (await rest(method, path, { cookie: admin, ...(method === "POST" && { json: {} }) })).status;
    expect(await statusOf("POST", `/users/${other.id}/sessions/${id}/revoke`)).toBe(404);
    expect(await statusOf("GET", "/users/2000000000/sessions")).toBe(404);
    expect(await statusOf("POST", "/users/2000000000/sign-out")).toBe(404);
    expect(await me(cookie)).toBe(200);
  });

  test("finds in the audit log who ended what", async () => {
    const user = await aPerson();
    const [here, elsewhere] = [await cookieOf(user), await cookieOf(user)];
    const [{ id }] = (await list(here)).filter(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    await rest("POST", `/auth/sessions/${id}/revoke`, { cookie: here, json: {} });
    await rest("POST", "/auth/sign-out-everywhere", { cookie: here, json: { keepCurrent: false } });
    expect(await me(elsewhere)).toBe(401);
    const rows = await sql`
      select action, object_kind, object_id, detail from audit_log
      where principal_id = ${user.id} order by id`;
    expect(rows.map((row) => Object.values(row))).toEqual([
      ["session.revoke", "session", id, null],
      ["session.signOutEverywhere", "user", null, "1 session"],
    ]);
  });
});

test("a session that ended or expired a month ago is deleted, and no other", async () => {
  const user = await aPerson();
  const row = (name: string, created: string, used: string, ended: string | null) => sql`
    insert into sessions (token_hash, user_id, signed_in_by, user_agent, created_at, last_used_at, ended_at)
    values (sha256(${name}::bytea), ${user.id}, 'Password', ${name}, now() - ${created}::interval,
      now() - ${used}::interval, now() - ${ended}::interval)`;
  await row("live", "20 days", "1 hour", null);
  await row("ran out lately", "60 days", "20 days", null);
  await row("ran out long ago", "60 days", "31 days", null);
  await row("ended lately", "60 days", "31 days", "29 days");
  await row("ended long ago", "60 days", "31 days", "31 days");
  expect(await removeOldSessions(1)).toBe(1);
  expect(await removeOldSessions(10)).toBe(1);
  expect((await rowsOf(user)).map(({ user_agent }) => user_agent)).toEqual([
    "live",
    "ran out lately",
    "ended lately",
  ]);
});

describe("your time zone", () => {
  const zoneOf = async (cookie: string) => (await rest("GET", "/auth/me", { cookie })).body.timeZone;

  test("is the browser's at the first sign-in that tells one, and then what you set", async () => {
    const user = await aPerson();
    const signInFrom = (zone: string) => signIn(user, `plumbline.zone=${zone}`);
    expect(await zoneOf(await signIn(user))).toBeNull();
    expect(await zoneOf(await signInFrom("Mars/Olympus"))).toBeNull();
    expect(await zoneOf(await signInFrom("Europe/Berlin"))).toBe("Europe/Berlin");
    const cookie = await signInFrom("Asia/Tokyo");
    expect(await zoneOf(cookie)).toBe("Europe/Berlin");
    const set = await rest("PUT", "/auth/me", { cookie, json: { timeZone: "America/New_York" } });
    expect([set.status, set.body.timeZone]).toEqual([200, "America/New_York"]);
    expect(await zoneOf(await signInFrom("Asia/Tokyo"))).toBe("America/New_York");
  });

  test("is an IANA zone, or nothing changes", async () => {
    const cookie = await cookieOf(await aUser("Viewer"));
    for (const timeZone of ["Mars/Olympus", "+02:00", "", null]) {
      const { status, body } = await rest("PUT", "/auth/me", { cookie, json: { timeZone } });
      expect([status, body.errors[0].path]).toEqual([400, "timeZone"]);
    }
    expect(await zoneOf(cookie)).toBeNull();
  });
});
