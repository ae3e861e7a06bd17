import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../db/client.ts";
import { cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { createFirstAdmin } from "./first-admin.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { signIn } from "./service/sign-in.ts";
import { rateLimits, users } from "./tables.ts";

const password = "a long enough password";

beforeEach(async () => {
  await db.delete(users);
  await db.delete(rateLimits);
});

describe("initial setup", () => {
  const person = { name: "Ada", email: "Ada@Example.com", password };

  test("creates an Admin, once", async () => {
    expect((await rest("GET", "/setup/status")).body).toEqual({ needed: true });
    const made = await rest("POST", "/setup", { json: person });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: "Ada", role: "Admin", enabled: true, lastSignInAt: null });
    expect(JSON.stringify(made.body)).not.toContain("scrypt");
    expect((await rest("GET", "/setup/status")).body).toEqual({ needed: false });
    expect((await rest("POST", "/setup", { json: { ...person, email: "b@example.com" } })).status).toBe(409);
  });

  test("of several concurrent requests, one wins", async () => {
    const tries = await Promise.all(
      [1, 2, 3, 4].map((n) => rest("POST", "/setup", { json: { ...person, email: `p${n}@example.com` } })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await db.$count(users)).toBe(1);
  });

  test("rejects a short password and an invalid email address", async () => {
    const { status, body } = await rest("POST", "/setup", {
      json: { name: "A", email: "a", password: "short" },
    });
    expect(status).toBe(400);
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual(["email", "password"]);
  });
});

describe("an unattended start", () => {
  test("takes the Admin from the settings and prints nothing", async () => {
    const settings = { ADMIN_EMAIL: "ops@example.com", ADMIN_PASSWORD: password };
    expect(await createFirstAdmin(settings, { demo: true })).toBeNull();
    expect(await signIn("ops@example.com", password, "1")).toMatchObject({ user: { role: "Admin" } });
    expect(
      await createFirstAdmin({ ...settings, ADMIN_EMAIL: "other@example.com" }, { demo: true }),
    ).toBeNull();
    expect(await db.$count(users)).toBe(1);
  });

  test("returns the Admin it created, to be recorded, and nothing if a user exists", async () => {
    const said: unknown[] = [];
    const options = { demo: true, record: async (change: unknown) => void said.push(change) };
    await createFirstAdmin({ ADMIN_EMAIL: "ops@example.com", ADMIN_PASSWORD: password }, options);
    await createFirstAdmin({}, options);
    const [{ id } = { id: 0 }] = await db.select().from(users);
    expect(said).toEqual([{ action: "session.setUp", objectKind: "user", objectId: id, detail: "Admin" }]);
  });

  test("of the demo creates an Admin whose password is printed once", async () => {
    const admin = await createFirstAdmin({}, { demo: true });
    expect(await signIn(admin?.email ?? "", admin?.password ?? "", "1")).not.toBeNull();
    expect(await createFirstAdmin({}, { demo: true })).toBeNull();
  });
});

describe("signing in", () => {
  const enter = (word: string, email = "ada@example.com", address = "10.0.0.1") =>
    signIn(email, word, address);

  beforeEach(async () => {
    await db.insert(users).values({
      name: "Ada",
      email: "Ada@example.com",
      role: "Editor",
      passwordHash: await hashPassword(password),
    });
  });

  test("accepts the right password, whatever the email's case, and records the time", async () => {
    expect(await enter(password, "aDA@EXAMPLE.com")).toMatchObject({ user: { name: "Ada" }, step: null });
    expect((await db.select().from(users))[0]?.lastSignInAt).toBeInstanceOf(Date);
    expect(await enter("another password")).toBeNull();
    expect(await enter(password, "unknown@example.com")).toBeNull();
  });

  test("is denied for a disabled user", async () => {
    await db.update(users).set({ enabled: false });
    expect(await enter(password)).toBeNull();
  });

  test("is limited: the eleventh wrong attempt is rejected, even with the right password, from that address only", async () => {
    for (let n = 0; n < 10; n++) expect(await enter("wrong password")).toBeNull();
    await expect(enter(password)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await enter(password, "ada@example.com", "10.0.0.2")).not.toBeNull();
  }, 180_000);

  test("a password change ends earlier sessions", async () => {
    const [ada] = await db.select().from(users);
    if (!ada) throw new Error("Ada is missing");
    const cookie = await cookieOf(ada);
    const change = (current: string) =>
      rest("POST", "/auth/change-password", { cookie, json: { current, next: "another long password" } });
    const wrong = await change("not it");
    expect([wrong.status, wrong.body.errors]).toEqual([400, [{ path: "current", message: "is incorrect" }]]);
    expect((await change(password)).status).toBe(204);
    expect((await rest("GET", "/auth/me", { cookie })).status).toBe(401);
    expect(await enter("another long password")).not.toBeNull();
    expect(await enter(password)).toBeNull();
  });
});

test("a password hash is salted, and text that looks the same is equal", async () => {
  const [one, two] = await Promise.all([hashPassword("pässword-ä"), hashPassword("pässword-ä")]);
  expect(one).not.toBe(two);
  expect(await verifyPassword("pa\u0308ssword-a\u0308", one)).toBe(true);
  expect(await verifyPassword("password-a", one)).toBe(false);
  expect(await verifyPassword("", null)).toBe(false);
});
