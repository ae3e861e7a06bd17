import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys } from "../api-keys/tables.ts";
import { db } from "../db/client.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import type { SignedIn } from "./principal.ts";
import { signIn } from "./service/sign-in.ts";
import { updateUser } from "./service/users.ts";
import { users } from "./tables.ts";

const password = "a long enough password";
const ada = { name: "Ada", email: "Ada@Example.com", password, role: "Editor" };

type User = Awaited<ReturnType<typeof aUser>>;
let admin: User;
let cookie: string;

beforeEach(async () => {
  await db.delete(apiKeys);
  await db.delete(users);
  admin = await aUser("Admin");
  cookie = await cookieOf(admin);
});

const create = (json: object) => rest("POST", "/users", { cookie, json });
const update = (id: number, json: object) => rest("PUT", `/users/${id}`, { cookie, json });

describe("creating", () => {
  test("creates a user who can sign in, and never returns the password", async () => {
    const { status, headers, body } = await create(ada);
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/svc/api/users/${body.id}`);
    expect(body).toEqual({
      id: expect.any(Number),
      name: "Ada",
      email: "Ada@Example.com",
      role: "Editor",
      projectRoles: null,
      managedBy: null,
      hasSecondFactor: false,
      enabled: true,
      revision: 1,
      createdAt: expect.stringMatching(/Z$/),
      lastSignInAt: null,
    });
    const [stored] = (await db.select().from(users)).filter(({ id }) => id === body.id);
    expect(stored?.passwordHash).toMatch(/^scrypt\$/);
    expect(await signIn("ada@example.com", password, "10.0.0.1")).toMatchObject({ user: { id: body.id } });
    const list = await rest("GET", "/users", { cookie });
    expect(list.body.items.map(({ name }: { name: string }) => name)).toEqual(["Ada", admin.name]);
    expect(JSON.stringify(list.body)).not.toMatch(/scrypt|password/i);
  });

  test("rejects an address in use, whatever its case, also concurrently", async () => {
    expect((await create(ada)).status).toBe(201);
    const again = await create({ ...ada, email: "aDA@eXAMPLE.COM" });
    expect([again.status, again.body.detail]).toEqual([409, "Another user has this email address"]);
    const tries = await Promise.all(
      ["grace@example.com", "GRACE@example.com"].map((email) => create({ ...ada, email })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test.each([
    ["a short password", { password: "short" }, "password"],
    ["a role that does not exist", { role: "Owner" }, "role"],
    ["what is no address", { email: "ada" }, "email"],
    ["an empty name", { name: "   " }, "name"],
    ["an id", { id: 7 }, "id"],
    ["what only the service decides", { lastSignInAt: "2026-01-01T00:00:00Z" }, "lastSignInAt"],
  ])("rejects %s", async (_, wrong, path) => {
    const { status, body } = await create({ ...ada, ...wrong });
    expect([status, body.errors.map((error: { path: string }) => error.path)]).toEqual([400, [path]]);
  });
});

describe("changing", () => {
  test("renames and changes the role, which applies to existing sessions", async () => {
    const { id } = (await create(ada)).body;
    const hers = await cookieOf({ id });
    const changed = await update(id, { name: "Ada L.", role: "Viewer" });
    expect(changed.body).toMatchObject({
      id,
      name: "Ada L.",
      role: "Viewer",
      enabled: true,
      email: ada.email,
    });
    expect((await rest("GET", "/auth/me", { cookie: hers })).body).toMatchObject({ role: "Viewer" });
  });

  test("ends a disabled user's sessions and suspends keys immediately; enabling restores only the keys", async () => {
    const { principal } = await asAdmin();
    const session = await cookieOf({ id: principal.userId });
    const key = await aKey({}, { principal, requestId: "test", address: "" });
    const doors = async () => [
      (await rest("GET", "/auth/me", { cookie: session })).status,
      (await rest("GET", "/projects", { headers: key.headers })).status,
    ];
    const set = (enabled: boolean) => update(principal.userId, { name: "B", role: "Admin", enabled });
    expect(await doors()).toEqual([200, 200]);
    expect((await set(false)).body).toMatchObject({ enabled: false });
    expect(await doors()).toEqual([401, 401]);
    await set(true);
    expect(await doors()).toEqual([401, 200]);
  });

  test("enables a user if `enabled` is omitted: a PUT replaces", async () => {
    const { id } = (await create(ada)).body;
    await update(id, { name: "Ada", role: "Editor", enabled: false });
    expect((await update(id, { name: "Ada", role: "Editor" })).body).toMatchObject({ enabled: true });
  });

  test("rejects an unknown user, and fields that cannot change", async () => {
    expect((await update(2_000_000_000, { name: "A", role: "Viewer" })).status).toBe(404);
    for (const wrong of [{ email: "new@example.com" }, { password }, { id: admin.id }]) {
      const { status, body } = await update(admin.id, { name: "A", role: "Admin", ...wrong });
      expect([status, body.errors[0].path]).toEqual([400, Object.keys(wrong)[0]]);
    }
  });
});

describe("the last enabled Admin", () => {
  const refusal = "The last enabled Admin cannot be disabled or demoted";

  test("stays one, even if there are disabled Admins", async () => {
    const other = await aUser("Admin");
    await update(other.id, { name: "Other", role: "Admin", enabled: false });
    for (const wish of [
      { role: "Editor" },
      { role: "Admin", enabled: false },
      { role: "Viewer", enabled: false },
    ]) {
      const { status, body } = await update(admin.id, { name: "Renamed", ...wish });
      expect([status, body.detail]).toEqual([409, refusal]);
    }
    const { body } = await update(admin.id, { name: "Renamed", role: "Admin" });
    expect(body).toMatchObject({ name: "Renamed", role: "Admin", enabled: true });
  });

  const by: SignedIn = {
    ...{ requestId: "test", address: "" },
    principal: { kind: "User", userId: 0, name: "A", role: "Admin", scopes: null, projectIds: null },
  };

  test.each([1, 2, 3])("remains when one is demoted and the other disabled at once (%d)", async () => {
    const other = await aUser("Admin");
    const removals = await Promise.allSettled([
      updateUser(by, { id: admin.id, name: "A", role: "Viewer", enabled: true }),
      updateUser(by, { id: other.id, name: "B", role: "Admin", enabled: false }),
    ]);
    expect(removals.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(removals.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "conflict", detail: refusal },
    });
    const left = (await db.select().from(users)).filter(({ role, enabled }) => role === "Admin" && enabled);
    expect(left).toHaveLength(1);
  });

  test("remains when ten of ten are disabled at once", async () => {
    const all = [admin, ...(await Promise.all(Array.from({ length: 9 }, () => aUser("Admin"))))];
    const removals = await Promise.allSettled(
      all.map(({ id, name }) => updateUser(by, { id, name, role: "Admin", enabled: false })),
    );
    expect(removals.filter(({ status }) => status === "fulfilled")).toHaveLength(9);
  });
});

test("only an Admin manages users: nobody else, and no key that is read-only or limited to projects", async () => {
  const project = (await rest("POST", "/projects", { cookie, json: { name: "P" } })).body.id;
  const by = { principal: { ...(await asAdmin()).principal }, requestId: "test", address: "" };
  const limited = await aKey({ allowedProjectIds: [project] }, by);
  const reading = await aKey({ scopes: ["Read", "Execute"] }, by);
  const callers = [
    { cookie: await cookieOf(await aUser("Viewer")) },
    { cookie: await cookieOf(await aUser("Editor")) },
    { headers: limited.headers },
    { headers: reading.headers },
  ];
  for (const caller of callers)
    for (const call of [
      rest("GET", "/users", caller),
      rest("POST", "/users", { ...caller, json: ada }),
      rest("PUT", `/users/${admin.id}`, { ...caller, json: { name: "A", role: "Admin" } }),
    ])
      expect((await call).status).toBe(403);
  const whole = await aKey({}, by);
  expect((await rest("POST", "/users", { headers: whole.headers, json: ada })).status).toBe(201);
});
