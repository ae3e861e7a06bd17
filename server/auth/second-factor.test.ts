import { and, eq, isNull, sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { appRouter } from "../app-router.ts";
import { auditEntries } from "../audit/tables.ts";
import { db } from "../db/client.ts";
import { createContext } from "../doors/context.ts";
import { handleMcp } from "../doors/mcp/door.ts";
import { handleUserAuth } from "../doors/rest/hub.ts";
import { handleSession } from "../doors/session.ts";
import { env } from "../env.ts";
import { addressHeader } from "../request-headers.ts";
import { anAuthenticator } from "../test/authenticator.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { hashPassword } from "./password.ts";
import type { SignedIn } from "./principal.ts";
import { findLiveSessions } from "./service/find-session.ts";
import { resetPassword } from "./service/reset-password.ts";
import { passkeys, rateLimits, recoveryCodes, sessions, signInPolicy, totpFactors, users } from "./tables.ts";

const password = "a long enough password";
const origin = "http://localhost:3000";
const hash = await hashPassword(password);

type Person = Awaited<ReturnType<typeof aPerson>>;

/** Someone with a password, and a session that has just begun. */
async function aPerson(role: "Admin" | "Editor" | "Viewer" = "Editor") {
  const user = await aUser(role);
  await db.update(users).set({ passwordHash: hash }).where(eq(users.id, user.id));
  return { ...user, passwordHash: hash, cookie: await cookieOf(user) };
}

/** What creates a key of theirs. */
const asOwner = async (cookie: string) => (await createContext(new Headers({ cookie }))) as SignedIn;

const callerOf = async ({ cookie }: { cookie: string }) =>
  appRouter.createCaller(await createContext(new Headers({ cookie })));

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Confirmed with the code of the step before, so that the current one is still good. */
async function withApp(person: Person) {
  const caller = await callerOf(person);
  const { secret, ticket } = await caller.session.newTotp();
  const { recoveryCodes: codes } = await caller.session.addTotp({ ticket, code: codeOf(secret, -1) });
  return { secret, codes: codes ?? [] };
}

async function withPasskey(person: Person, options: { counter?: number } = {}) {
  const caller = await callerOf(person);
  const authenticator = anAuthenticator();
  const { options: asked, ticket } = await caller.session.newPasskey();
  const response = authenticator.create(String(asked.challenge), options);
  const { recoveryCodes: codes } = await caller.session.addPasskey({ ticket, name: "Laptop", response });
  return { authenticator, codes };
}

const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** A request to the sign-in endpoints as the pages send it, with what the service answers. */
async function send(path: string, fields: Record<string, string>) {
  const headers = { host: "localhost:3000", [addressHeader]: "203.0.113.7" };
  const csrf = await handleSession(new Request(`${origin}/svc/api/auth/csrf`, { headers }));
  const cookie = cookiesOf(csrf);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const response = await handleSession(
    new Request(`${origin}/svc/api/auth/callback/${path}`, {
      method: "POST",
      headers: { ...headers, cookie, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrfToken, json: "true", ...fields }).toString(),
    }),
  );
  const session = cookiesOf(response)
    .split("; ")
    .find((each) => /session-token=./.test(each));
  const body = (await response.json()) as {
    url?: string;
    secondFactor?: { ticket: string; methods: string[]; passkey: { challenge: string } | null };
  };
  return { status: response.status, session, body };
}

async function firstStep(person: { email: string }) {
  const { body, session, status } = await send("credentials", { email: person.email, password });
  expect({ session, status }).toEqual({ session: undefined, status: 401 });
  expect(body.url).not.toContain("ticket");
  if (!body.secondFactor) throw new Error("No second step");
  return body.secondFactor;
}

const entriesOf = async (userId: number) =>
  (
    await db.select().from(auditEntries).where(eq(auditEntries.objectId, userId)).orderBy(auditEntries.id)
  ).map(({ action, detail }) => `${action}: ${detail}`);

const liveSessions = (userId: number) =>
  db.$count(sessions, and(eq(sessions.userId, userId), isNull(sessions.endedAt)));

beforeEach(async () => {
  await db.delete(rateLimits);
  await db.delete(signInPolicy);
  vi.restoreAllMocks();
});

describe("an authenticator app", () => {
  test("is asked for after the password, and a code works once, nor does an older one", async () => {
    const person = await aPerson();
    const { secret } = await withApp(person);
    const { ticket, methods } = await firstStep(person);
    expect(methods).toEqual(["Totp", "RecoveryCode"]);
    const code = codeOf(secret);
    expect((await send("second-factor", { ticket, code })).session).toBeDefined();

    const again = await firstStep(person);
    expect(await send("second-factor", { ticket: again.ticket, code })).toMatchObject({ status: 401 });
    expect(await send("second-factor", { ticket: again.ticket, code: codeOf(secret, -1) })).toMatchObject({
      status: 401,
    });
    const next = codeOf(secret, 1);
    expect((await send("second-factor", { ticket: again.ticket, code: next })).session).toBeDefined();
    const [newest] = await db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, person.id))
      .orderBy(sql`${sessions.id} desc`);
    expect(newest).toMatchObject({ signedInBy: "Password", secondFactor: "Totp" });
  });

  test("of two requests with one code, one signs in", async () => {
    const person = await aPerson();
    const { secret } = await withApp(person);
    const steps = [await firstStep(person), await firstStep(person)];
    const code = codeOf(secret);
    const results = await Promise.all(steps.map(({ ticket }) => send("second-factor", { ticket, code })));
    expect(results.filter(({ session }) => session)).toHaveLength(1);
  });

  test("is not stored before a code confirms it, in the session that began, once", async () => {
    const person = await aPerson();
    const caller = await callerOf(person);
    const { secret, ticket } = await caller.session.newTotp();
    await expect(
      caller.session.addTotp({ ticket, code: "000000" === codeOf(secret) ? "000001" : "000000" }),
    ).rejects.toThrow();
    expect(await caller.session.secondFactors()).toMatchObject({ totp: null, recoveryCodesLeft: 0 });
    const elsewhere = await callerOf({ cookie: await cookieOf(person) });
    await expect(elsewhere.session.addTotp({ ticket, code: codeOf(secret) })).rejects.toThrow(/not valid/);
    await caller.session.addTotp({ ticket, code: codeOf(secret) });
    await expect(caller.session.addTotp({ ticket, code: codeOf(secret) })).rejects.toThrow(/not valid/);
    const later = await caller.session.newTotp();
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 10 * 60_000 + 1);
    await expect(
      caller.session.addTotp({ ticket: later.ticket, code: codeOf(later.secret) }),
    ).rejects.toThrow(/not valid/);
  });

  test("keeps its secret encrypted, and shows it to nobody again", async () => {
    const person = await aPerson();
    const { secret, codes } = await withApp(person);
    const stored = await db.select().from(totpFactors).where(eq(totpFactors.userId, person.id));
    expect(Buffer.from(stored[0]?.secret ?? []).toString("latin1")).not.toContain(secret);
    const hashes = await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, person.id));
    expect(hashes).toHaveLength(10);
    expect(JSON.stringify(hashes)).not.toContain(codes[0]);
    const shown = JSON.stringify([
      (await rest("GET", "/auth/second-factor", { cookie: person.cookie })).body,
      await db.select().from(auditEntries),
    ]);
    for (const hidden of [secret, ...codes]) expect(shown).not.toContain(hidden);
  });

  test("limits attempts like a password, which a right password does not reset", async () => {
    const person = await aPerson();
    const { secret } = await withApp(person);
    const wrong = codeOf(secret, 40);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const { ticket } = await firstStep(person);
      statuses.push((await send("second-factor", { ticket, code: wrong })).status);
    }
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    const { ticket } = await firstStep(person);
    expect(await send("second-factor", { ticket, code: codeOf(secret) })).toMatchObject({ status: 429 });
  });
});

describe("the ticket of a sign-in", () => {
  test("ends after 10 minutes, with the password, and for a disabled user", async () => {
    const person = await aPerson();
    const { secret } = await withApp(person);
    const { ticket } = await firstStep(person);
    const now = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(now + 10 * 60_000 + 1);
    expect(await send("second-factor", { ticket, code: codeOf(secret) })).toMatchObject({
      body: { url: expect.stringContaining("SignInExpired") },
    });
    clock.mockRestore();
    await db.update(users).set({ enabled: false }).where(eq(users.id, person.id));
    expect((await send("second-factor", { ticket, code: codeOf(secret) })).session).toBeUndefined();
    await db
      .update(users)
      .set({ enabled: true, passwordHash: await hashPassword("another long password") })
      .where(eq(users.id, person.id));
    expect((await send("second-factor", { ticket, code: codeOf(secret) })).session).toBeUndefined();
  });

  test("is only for its user, and only as the service sealed it", async () => {
    const [one, other] = [await aPerson(), await aPerson()];
    await withApp(one);
    const { secret } = await withApp(other);
    const { ticket } = await firstStep(one);
    expect((await send("second-factor", { ticket, code: codeOf(secret) })).session).toBeUndefined();
    const forged = `${ticket.slice(0, -2)}AA`;
    expect((await send("second-factor", { ticket: forged, code: codeOf(secret) })).session).toBeUndefined();
    const { ticket: setUp } = await (await callerOf(other)).session.newTotp();
    expect((await send("second-factor", { ticket: setUp, code: codeOf(secret) })).session).toBeUndefined();
  });
});

test("a recovery code works once, in any spelling, and is counted", async () => {
  const person = await aPerson();
  const { codes } = await withApp(person);
  const [code = ""] = codes;
  const { ticket } = await firstStep(person);
  const typed = code.toUpperCase().replaceAll("-", " ");
  const { session } = await send("second-factor", { ticket, recoveryCode: typed });
  expect(session).toBeDefined();
  const caller = await callerOf({ cookie: session ?? "" });
  expect(await caller.session.secondFactors()).toMatchObject({ recoveryCodesLeft: 9 });
  const again = await firstStep(person);
  expect((await send("second-factor", { ticket: again.ticket, recoveryCode: code })).session).toBeUndefined();
  const fresh = await caller.session.newRecoveryCodes({});
  expect(
    (await send("second-factor", { ticket: again.ticket, recoveryCode: codes[1] ?? "" })).session,
  ).toBeUndefined();
  expect(
    (await send("second-factor", { ticket: again.ticket, recoveryCode: fresh.recoveryCodes?.[0] ?? "" }))
      .session,
  ).toBeDefined();
});

describe("a passkey", () => {
  test("signs in alone, and after the password", async () => {
    const person = await aPerson();
    const { authenticator } = await withPasskey(person);
    const step = await firstStep(person);
    expect(step.methods).toEqual(["Passkey", "RecoveryCode"]);
    const signed = JSON.stringify(authenticator.get(step.passkey?.challenge ?? "", { isVerified: false }));
    expect((await send("second-factor", { ticket: step.ticket, passkey: signed })).session).toBeDefined();
    // Once.
    expect((await send("second-factor", { ticket: step.ticket, passkey: signed })).session).toBeUndefined();

    const { options, ticket } = await appRouter
      .createCaller(await createContext(new Headers()))
      .session.passkeyChallenge();
    const alone = JSON.stringify(authenticator.get(String(options.challenge)));
    const unverified = JSON.stringify(authenticator.get(String(options.challenge), { isVerified: false }));
    expect((await send("passkey", { ticket, passkey: unverified })).session).toBeUndefined();
    const entered = await send("passkey", { ticket, passkey: alone });
    expect(entered.session).toBeDefined();
    expect((await send("passkey", { ticket, passkey: alone })).session).toBeUndefined();
    const me = await rest("GET", "/auth/me", { cookie: entered.session ?? "" });
    expect(me.body).toMatchObject({ user: { id: person.id }, session: { signedInBy: "Passkey" } });
  });

  test("is refused for another challenge, another site, another person, and a disabled one", async () => {
    const [person, other] = [await aPerson(), await aPerson()];
    const { authenticator } = await withPasskey(person);
    const { authenticator: others } = await withPasskey(other);
    const { ticket, passkey } = await firstStep(person);
    const challenge = passkey?.challenge ?? "";
    for (const response of [
      authenticator.get("AAAA"),
      authenticator.get(challenge, { origin: "https://evil.example.com" }),
      others.get(challenge),
    ])
      expect(
        (await send("second-factor", { ticket, passkey: JSON.stringify(response) })).session,
      ).toBeUndefined();
    await db.update(users).set({ enabled: false }).where(eq(users.id, person.id));
    const { options, ticket: alone } = await appRouter
      .createCaller(await createContext(new Headers()))
      .session.passkeyChallenge();
    const signed = JSON.stringify(authenticator.get(String(options.challenge)));
    expect((await send("passkey", { ticket: alone, passkey: signed })).session).toBeUndefined();
  });

  test("whose counter does not advance is refused as a copy", async () => {
    const person = await aPerson();
    const { authenticator } = await withPasskey(person, { counter: 5 });
    const enter = async (counter: number) => {
      const { ticket, passkey } = await firstStep(person);
      const signed = JSON.stringify(authenticator.get(passkey?.challenge ?? "", { counter }));
      return (await send("second-factor", { ticket, passkey: signed })).session !== undefined;
    };
    expect(await enter(5)).toBe(false);
    expect(await enter(7)).toBe(true);
    expect(await enter(6)).toBe(false);
    const [stored] = await db.select().from(passkeys).where(eq(passkeys.userId, person.id));
    expect(stored).toMatchObject({ counter: 7, lastUsedAt: expect.any(Date) });
  });

  test("cannot be added where browsers know none, nor twice", async () => {
    const person = await aPerson();
    const caller = await callerOf(person);
    const stated = env().PUBLIC_URL;
    env().PUBLIC_URL = "http://plumbline.example.com";
    try {
      await expect(caller.session.newPasskey()).rejects.toThrow(/Passkeys need https/);
      expect(await caller.session.secondFactors()).toMatchObject({ passkeysPossible: false });
      expect((await caller.session.signInOptions()).passkeys).toBe(false);
    } finally {
      env().PUBLIC_URL = stated;
    }
    const { authenticator } = await withPasskey(person);
    const { options, ticket } = await caller.session.newPasskey();
    const response = authenticator.create(String(options.challenge));
    await expect(caller.session.addPasskey({ ticket, name: "Again", response })).rejects.toThrow(/already/);
  });
});

describe("changing second factors", () => {
  test("needs the password if the sign-in is old, and ends the other sessions", async () => {
    const person = await aPerson();
    const { id } = person;
    await cookieOf(person);
    await db
      .update(sessions)
      .set({ createdAt: sql`now() - interval '11 minutes'` })
      .where(eq(sessions.userId, id));
    const caller = await callerOf(person);
    const { secret, ticket } = await caller.session.newTotp();
    const code = codeOf(secret);
    await expect(caller.session.addTotp({ ticket, code })).rejects.toThrow();
    await expect(caller.session.addTotp({ ticket, code, password: "not the password" })).rejects.toThrow(
      /incorrect/,
    );
    expect(await liveSessions(id)).toBe(2);
    await caller.session.addTotp({ ticket, code, password });
    expect(await liveSessions(id)).toBe(1);
    await expect(caller.session.removeTotp({})).rejects.toThrow();
    await caller.session.removeTotp({ password });
    expect(await caller.session.secondFactors()).toMatchObject({ totp: null, recoveryCodesLeft: 0 });
  });

  test("is not for someone without a password, nor for a key", async () => {
    const person = await aUser("Admin");
    const cookie = await cookieOf(person);
    const caller = await callerOf({ cookie });
    const { secret, ticket } = await caller.session.newTotp();
    await expect(caller.session.addTotp({ ticket, code: codeOf(secret) })).rejects.toThrow(
      /organization's provider/,
    );
    const { headers } = await aKey({ scopes: ["Admin"] }, await asOwner(cookie));
    const asked = await rest("GET", "/auth/second-factor", { headers });
    expect(asked.status).toBe(403);
  });

  test("is in the audit log", async () => {
    const person = await aPerson();
    const cookie = person.cookie;
    const { body } = await rest("GET", "/auth/second-factor/new-totp", { cookie });
    const code = codeOf(body.secret, -1);
    expect(
      (await rest("POST", "/auth/second-factor/totp", { cookie, json: { ticket: body.ticket, code } }))
        .status,
    ).toBe(200);
    const { ticket } = await firstStep(person);
    await send("second-factor", { ticket, code: codeOf(body.secret, 40) });
    await send("second-factor", { ticket, code: codeOf(body.secret) });
    expect(await entriesOf(person.id)).toEqual([
      "session.signInFailed: by password and second factor",
      "session.signIn: by password and second factor, as Editor",
    ]);
    const added = await db.select().from(auditEntries).where(eq(auditEntries.action, "session.addTotp"));
    expect(added.length).toBeGreaterThan(0);
  });
});

describe("a role that needs a second factor", () => {
  async function requiredFor(...roles: string[]) {
    const cookie = (await aPerson("Admin")).cookie;
    const stored = await rest("PUT", "/settings/sign-in", { cookie, json: { secondFactorRoles: roles } });
    expect(stored.status).toBe(200);
    return { cookie, stored: stored.body };
  }

  test("lets someone without one do nothing but set one up", async () => {
    const person = await aPerson("Editor");
    const [session] = await db.select().from(sessions).where(eq(sessions.userId, person.id));
    const { stored } = await requiredFor("Editor");
    expect(stored.lacking).toContainEqual({ id: person.id, name: person.name });
    const { cookie } = person;
    const refused = await rest("GET", "/projects", { cookie });
    expect(refused).toMatchObject({ status: 403, body: { secondFactor: "missing" } });
    expect((await rest("GET", "/auth/me", { cookie })).status).toBe(403);
    expect((await rest("GET", "/auth/sessions", { cookie })).status).toBe(403);
    const caller = await callerOf(person);
    await expect(caller.projects.list()).rejects.toThrow(/second factor/);
    const headers = { cookie, host: "localhost:3000", "content-type": "application/json" };
    const mcp = await handleMcp(new Request(`${origin}/svc/mcp`, { method: "POST", headers, body: "{}" }));
    expect(mcp.status).toBe(403);
    const hub = await handleUserAuth(
      new Request(`${origin}/svc/api/hub/user-auth`, { method: "POST", headers, body: "{}" }),
    );
    expect(hub.status).toBe(403);
    expect(await findLiveSessions([session?.id ?? 0])).toEqual(new Set());

    await withApp(person);
    expect((await rest("GET", "/projects", { cookie })).status).toBe(200);
    expect(await findLiveSessions([session?.id ?? 0])).toEqual(new Set([session?.id]));
    await expect((await callerOf(person)).session.removeTotp({})).rejects.toThrow(/add another one first/);
  });

  test("applies to other roles and to keys not at all", async () => {
    const editor = await aPerson("Editor");
    const { headers } = await aKey({ scopes: ["Read"] }, await asOwner(editor.cookie));
    await requiredFor("Editor");
    const viewer = await aPerson("Viewer");
    expect((await rest("GET", "/projects", { cookie: viewer.cookie })).status).toBe(200);
    const byKey = await rest("GET", "/projects", { headers });
    expect(byKey.status).toBe(200);
    await db.update(sessions).set({ signedInBy: "Oidc" }).where(eq(sessions.userId, editor.id));
    expect((await rest("GET", "/projects", { cookie: editor.cookie })).status).toBe(200);
  });

  test("may have either of two removed, but not the last", async () => {
    const person = await aPerson("Editor");
    await withApp(person);
    await withPasskey(person);
    await requiredFor("Editor");
    const caller = await callerOf(person);
    await caller.session.removeTotp({});
    const [{ id } = { id: 0 }] = await db.select().from(passkeys).where(eq(passkeys.userId, person.id));
    await expect(caller.session.removePasskey({ id })).rejects.toThrow(/add another one first/);
    const other = await callerOf(await aPerson("Viewer"));
    await expect(other.session.removePasskey({ id })).rejects.toThrow(/not found/);
  });
});

describe("a reset", () => {
  test("by an Admin removes everything, ends the sessions, and is recorded", async () => {
    const person = await aPerson();
    await withApp(person);
    await withPasskey(person);
    const admin = await aPerson("Admin");
    const path = `/users/${person.id}/second-factor/reset`;
    expect((await rest("POST", path, { cookie: admin.cookie, json: {} })).status).toBe(200);
    expect(await liveSessions(person.id)).toBe(0);
    expect(await db.$count(recoveryCodes, eq(recoveryCodes.userId, person.id))).toBe(0);
    expect((await send("credentials", { email: person.email, password })).session).toBeDefined();
    expect((await rest("POST", path, { cookie: admin.cookie, json: {} })).status).toBe(409);
    expect(await entriesOf(person.id)).toContain(`users.resetSecondFactor: ${person.name}`);
  });

  test("is not for oneself, nor for a key", async () => {
    const admin = await aPerson("Admin");
    const person = await aPerson();
    await withApp(person);
    const own = await rest("POST", `/users/${admin.id}/second-factor/reset`, {
      cookie: admin.cookie,
      json: {},
    });
    expect(own.status).toBe(403);
    const { headers } = await aKey({ scopes: ["Admin"] }, await asOwner(admin.cookie));
    const byKey = await rest("POST", `/users/${person.id}/second-factor/reset`, { headers, json: {} });
    expect(byKey.status).toBe(403);
  });

  test("by an operator comes with a new password", async () => {
    const person = await aPerson("Admin");
    await withApp(person);
    const reset = await resetPassword(person.email, async () => {});
    expect(reset).toMatchObject({ hadSecondFactor: true });
    const entered = await send("credentials", { email: person.email, password: reset?.password ?? "" });
    expect(entered.session).toBeDefined();
  });
});

test("without password sign-in, no second step and no passkey is a way in", async () => {
  const person = await aPerson();
  const { secret } = await withApp(person);
  const { ticket } = await firstStep(person);
  env().PASSWORD_SIGN_IN = false;
  try {
    expect((await send("second-factor", { ticket, code: codeOf(secret) })).status).toBe(403);
    expect((await send("passkey", { ticket, passkey: "{}" })).status).toBe(403);
  } finally {
    env().PASSWORD_SIGN_IN = true;
  }
});
