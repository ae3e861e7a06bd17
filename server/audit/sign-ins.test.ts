import { asc, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findCookiePrincipal } from "../auth/cookie-session.ts";
import { hashPassword } from "../auth/password.ts";
import { rateLimits, users } from "../auth/tables.ts";
import { db } from "../db/client.ts";
import { addressHeader } from "../request-headers.ts";
import { cookieFrom, nextAuth } from "../test/next-auth.ts";
import { watchSignIn } from "./sign-ins.ts";
import { auditLog } from "./tables.ts";

const password = "correct horse battery";
const origin = "http://localhost:3000";
let ada: { id: number };

beforeAll(async () => {
  process.env.NEXTAUTH_URL = `${origin}/svc/api/auth`;
  const passwordHash = await hashPassword(password);
  const [user] = await db
    .insert(users)
    .values({ name: "Ada", email: "ada@example.com", role: "Editor", passwordHash })
    .returning();
  if (!user) throw new Error("Ada is missing");
  ada = user;
});

beforeEach(async () => {
  await db.delete(rateLimits);
  await db.execute(sql`alter table audit_log disable trigger audit_log_stands`);
  await db.execute(sql`truncate audit_log`);
  await db.execute(sql`alter table audit_log enable trigger audit_log_stands`);
});

type Attempt = { address?: string; json?: boolean; cookie?: string; method?: string };

/** One next-auth request with its CSRF token, recorded as in production. */
async function call(path: string, fields: Record<string, string>, attempt: Attempt = {}) {
  const { address = "203.0.113.7", json = true, cookie = "", method = "POST" } = attempt;
  const segments = path.split("/");
  const csrf = await nextAuth(new Request(`${origin}/svc/api/auth/csrf`), ["csrf"]);
  const { csrfToken } = (await csrf.clone().json()) as { csrfToken: string };
  const form = new URLSearchParams({ csrfToken, ...fields, ...(json && { json: "true" }) });
  const request = new Request(`${origin}/svc/api/auth/${path}`, {
    method,
    headers: { cookie: [cookieFrom(csrf), cookie].filter(Boolean).join("; "), [addressHeader]: address },
    ...(method === "POST" && { body: form }),
  });
  const record = watchSignIn(request, segments, {
    former: await findCookiePrincipal(request.headers),
    notes: {},
  });
  const response = await nextAuth(request, segments);
  await record(response);
  return response;
}

const enter = (fields: Record<string, string>, attempt?: Attempt) =>
  call("callback/credentials", fields, attempt);
const right = { email: "ADA@example.com", password };

const entries = async () => {
  const rows = await db.select().from(auditLog).orderBy(asc(auditLog.id));
  return rows.map(({ id: _, at: __, outcome: ___, ...row }) => row);
};
const anonymous = { principalKind: "Anonymous", principalId: null, principalName: "Anonymous", userId: null };

describe.each([
  ["as the page does", true],
  ["as a form", false],
])("signing in, sent %s", (_, json) => {
  test("is an entry of the user", async () => {
    await enter(right, { json });
    expect(await entries()).toEqual([
      {
        principalKind: "User",
        principalId: ada.id,
        principalName: "Ada",
        userId: null,
        action: "session.signIn",
        objectKind: "user",
        objectId: ada.id,
        detail: "by password, as Editor",
        address: "203.0.113.7",
      },
    ]);
  });

  test("with a wrong password or an unknown user is an entry with the email address that was tried", async () => {
    await enter({ email: "ada@example.com", password: "wrong password" }, { json });
    await enter({ email: "nobody@example.com", password }, { json });
    const failed = {
      ...anonymous,
      action: "session.signInFailed",
      objectKind: "user",
      objectId: null,
      address: "203.0.113.7",
    };
    expect(await entries()).toEqual([
      { ...failed, detail: "ada@example.com" },
      { ...failed, detail: "nobody@example.com" },
    ]);
  });

  test("beyond the rate limit is one entry per address and quarter of an hour", async () => {
    for (let n = 0; n < 10; n++) await db.execute(countedFailure("ada@example.com", "203.0.113.7"));
    for (let n = 0; n < 3; n++) await enter(right, { json });
    await enter(right, { json, address: "203.0.113.8" });
    expect((await entries()).map(({ action, detail, address }) => [action, detail, address])).toEqual([
      ["session.signInLimited", "ADA@example.com", "203.0.113.7"],
      ["session.signIn", "by password, as Editor", "203.0.113.8"],
    ]);
  });
});

/** As if someone had failed once more: ten of them are the limit. */
const countedFailure = (email: string, address: string) => sql`
  insert into rate_limits (key, points, expire)
  values (${`sign-in:account:${email}:${address}`}, 1, now() + interval '15 minutes')
  on conflict (key) do update set points = rate_limits.points + 1`;

test("the content of the email field is only kept if it is an email address", async () => {
  const typed = [password, "a\u0000b@example.com", `${"a".repeat(300)}@example.com`, ""];
  for (const [n, email] of typed.entries())
    await enter({ email, password: "wrong password" }, { address: `203.0.113.${n}` });
  expect((await entries()).map(({ action, detail }) => [action, detail])).toEqual(
    typed.map(() => ["session.signInFailed", "not an email address"]),
  );
});

test("attempts that no limit counts do not fill the log", async () => {
  for (let n = 0; n < 5; n++) await enter({ email: `${n}${"a".repeat(300)}`, password });
  await enter({ email: `ada@example.com${" ".repeat(300)}`, password });
  await enter({ email: "not an address", password });
  expect(await entries()).toHaveLength(1);
});

test("a password that is too long counts as a wrong one", async () => {
  for (let n = 0; n < 10; n++) await db.execute(countedFailure("ada@example.com", "203.0.113.7"));
  await enter({ email: "ada@example.com", password: "x".repeat(5000) }, { address: "203.0.113.8" });
  await enter({ email: "ada@example.com", password: "x".repeat(5000) });
  expect((await entries()).map(({ action }) => action)).toEqual([
    "session.signInFailed",
    "session.signInLimited",
  ]);
});

test("signing out is an entry of the user, once", async () => {
  const cookie = cookieFrom(await enter(right));
  await call("signout", {}, { cookie });
  await call("signout", {});
  expect((await entries()).slice(1)).toMatchObject([
    { action: "session.signOut", principalId: ada.id, principalName: "Ada", objectId: ada.id, detail: null },
  ]);
});

test("requests that neither begin, end, nor deny a session have no entry", async () => {
  const cookie = cookieFrom(await enter(right));
  await call("csrf", {}, { method: "GET", cookie });
  await call("signout", {}, { method: "GET", cookie });
  await call("callback/credentials", { ...right, csrfToken: "forged" });
  expect((await entries()).map(({ action }) => action)).toEqual(["session.signIn"]);
});

const nobody = { former: null, notes: {} };

test("a denial by another provider gives the reason, once a quarter of an hour", async () => {
  const request = new Request(`${origin}/svc/api/auth/callback/oidc?code=1`, {
    headers: { [addressHeader]: "203.0.113.9" },
  });
  const refused = (error: string) =>
    new Response(null, { status: 302, headers: { location: `/sign-in?error=${encodeURIComponent(error)}` } });
  await watchSignIn(request, ["callback", "oidc"], nobody)(refused("NoRole"));
  await watchSignIn(request, ["callback", "oidc"], nobody)(refused("NoRole"));
  const other = new Request(request, { headers: { [addressHeader]: "203.0.113.10" } });
  await watchSignIn(other, ["callback", "oidc"], nobody)(refused("<b>what the provider's text says</b>"));
  expect(await entries()).toMatchObject([
    { ...anonymous, action: "session.signInRefused", detail: "by oidc: NoRole", address: "203.0.113.9" },
    { ...anonymous, action: "session.signInRefused", detail: "by oidc: failed", address: "203.0.113.10" },
  ]);
});
