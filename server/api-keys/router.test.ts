import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { users } from "../auth/tables.ts";
import { db } from "../db/client.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor, asViewer } from "../test/factories/principals.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { hashOf } from "./raw-key.ts";
import { apiKeys } from "./tables.ts";

type User = Awaited<ReturnType<typeof aUser>>;
let admin: User;
let editor: User;
let viewer: User;
const cookies = new Map<User, string>();

beforeAll(async () => {
  [admin, editor, viewer] = await Promise.all([aUser("Admin"), aUser("Editor"), aUser("Viewer")]);
  for (const user of [admin, editor, viewer]) cookies.set(user, await cookieOf(user));
});

beforeEach(() => db.delete(apiKeys));

const as = (user: User) => ({ cookie: cookies.get(user) ?? "" });
const create = (user: User, json: object) =>
  rest("POST", "/api-keys", { ...as(user), json: { name: "CI", scopes: ["Read"], ...json } });

describe("creating a key", () => {
  test("returns its metadata and the raw key; only the hash is stored", async () => {
    const { status, headers, body } = await create(admin, { name: "  CI  ", scopes: ["Execute", "Read"] });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe("/svc/api/api-keys");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.rawKey).toMatch(/^sk-svc_[A-Za-z0-9_-]{43}$/);
    expect(body).toEqual({
      id: body.id,
      name: "CI",
      prefix: body.rawKey.slice(0, 16),
      scopes: ["Read", "Execute"],
      allowedProjectIds: null,
      parentKeyId: null,
      replacedById: null,
      ownerKind: "Person",
      createdAt: expect.stringMatching(/Z$/),
      allowedNetworks: null,
      lastUsedAt: null,
      lastUsedAddress: null,
      expiresAt: null,
      status: "Active",
      isExpired: false,
      user: { id: admin.id, name: admin.name },
      rawKey: body.rawKey,
    });
    const [row] = await db.select().from(apiKeys);
    expect(row?.hash).toEqual(hashOf(body.rawKey));
  });

  test("stores the expiry in UTC and removes duplicate projects", async () => {
    const project = await aProject();
    const expiresAt = "2999-01-31T12:00:00+02:00";
    const { status, body } = await create(admin, {
      expiresAt,
      allowedProjectIds: [project.id, project.id],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      expiresAt: "2999-01-31T10:00:00.000Z",
      allowedProjectIds: [project.id],
    });
  });

  test("null means the same as omitted", async () => {
    const { status, body } = await create(admin, { expiresAt: null, allowedProjectIds: null });
    expect(status).toBe(201);
    expect(body).toMatchObject({ expiresAt: null, allowedProjectIds: null });
  });

  test.each([
    [{ expiresAt: "2999-01-31T12:00:00" }, "expiresAt"],
    [{ expiresAt: "2999-01-31" }, "expiresAt"],
    [{ expiresAt: "2999-02-30T12:00:00Z" }, "expiresAt"],
    [{ expiresAt: "2001-01-31T12:00:00Z" }, "expiresAt"],
    [{ expiresAt: "" }, "expiresAt"],
    [{ expiresAt: 32_503_680_000 }, "expiresAt"],
    [{ expiresat: "2999-01-31T12:00:00Z" }, "expiresat"],
    [{ expirationDate: "2999-01-31T12:00:00Z" }, "expirationDate"],
    [{ allowedProjectIds: [] }, "allowedProjectIds"],
    [{ allowedProjectIds: ["1"] }, "allowedProjectIds.0"],
    [{ allowedProjectIds: "all" }, "allowedProjectIds"],
    [{ projectIds: [1] }, "projectIds"],
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["read"] }, "scopes.0"],
    [{ scopes: "Read" }, "scopes"],
    [{ scopes: undefined }, "scopes"],
    [{ name: " " }, "name"],
    [{ name: undefined }, "name"],
    [{ hash: "00" }, "hash"],
    [{ userId: 1 }, "userId"],
    [{ rawKey: "sk-svc_mine" }, "rawKey"],
  ])("%j is a 400 that names what is wrong, and makes no key", async (json, path) => {
    const { status, body } = await create(admin, json);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ path })]);
    expect(await db.$count(apiKeys)).toBe(0);
  });

  test("an unknown project is a 404, even together with a known one", async () => {
    const project = await aProject();
    for (const allowedProjectIds of [[2_000_000_000], [project.id, 2_000_000_000]])
      expect((await create(admin, { allowedProjectIds })).status).toBe(404);
  });

  test("scopes are limited by the role", async () => {
    const statuses = async (user: User) =>
      Promise.all(
        [["Read"], ["Execute"], ["Read", "Execute"], ["Admin"]].map(
          async (scopes) => (await create(user, { scopes })).status,
        ),
      );
    expect(await statuses(viewer)).toEqual([201, 403, 403, 403]);
    expect(await statuses(editor)).toEqual([201, 201, 201, 403]);
    expect(await statuses(admin)).toEqual([201, 201, 201, 201]);
  });
});

describe("a key that creates a key", () => {
  const createBy = (headers: Record<string, string>, json: object = {}) =>
    rest("POST", "/api-keys", { headers, json: { name: "Next", scopes: ["Read"], ...json } });

  test("needs the Admin scope, and the new key has the same user", async () => {
    const by = await asAdmin();
    for (const scopes of [["Read"], ["Execute"], ["Read", "Execute"]] as const)
      expect((await createBy((await aKey({ scopes: [...scopes] }, by)).headers)).status).toBe(403);
    const made = await createBy((await aKey({}, by)).headers, { scopes: ["Admin"] });
    expect(made.status).toBe(201);
    expect(made.body.user.id).toBe(by.principal.userId);
  });

  test("can't grant more than its user has today", async () => {
    const by = await asAdmin();
    const { headers } = await aKey({}, by);
    await db.update(users).set({ role: "Editor" }).where(eq(users.id, by.principal.userId));
    expect((await createBy(headers, { scopes: ["Admin"] })).status).toBe(403);
    expect((await createBy(headers, { scopes: ["Execute"] })).status).toBe(201);
  });

  test("can't create, list, or revoke if it is limited to projects", async () => {
    const project = await aProject();
    const key = await aKey({ allowedProjectIds: [project.id] });
    const { headers } = key;
    expect((await createBy(headers)).status).toBe(403);
    expect((await createBy(headers, { allowedProjectIds: [project.id] })).status).toBe(403);
    expect((await rest("GET", "/api-keys", { headers })).status).toBe(403);
    expect((await rest("POST", `/api-keys/${key.id}/revoke`, { headers })).status).toBe(403);
  });
});

describe("the list", () => {
  const list = async (user: User) =>
    (await rest("GET", "/api-keys", as(user))).body.items as { id: number; name: string }[];

  test("has the caller's own keys; for an Admin everyone's, newest first", async () => {
    const made = [];
    for (const user of [editor, viewer, admin, editor]) made.push((await create(user, {})).body.id);
    const [first, second, third, fourth] = made;
    expect((await list(editor)).map(({ id }) => id)).toEqual([fourth, first]);
    expect((await list(viewer)).map(({ id }) => id)).toEqual([second]);
    expect((await list(admin)).map(({ id }) => id)).toEqual([fourth, third, second, first]);
  });

  test("keeps revoked and expired keys, marked as such", async () => {
    const expired = (await create(editor, { name: "expired", expiresAt: "2999-01-01T00:00:00Z" })).body;
    const revoked = (await create(editor, { name: "revoked" })).body;
    await db
      .update(apiKeys)
      .set({ expiresAt: new Date("2020-01-01T00:00:00Z") })
      .where(eq(apiKeys.id, expired.id));
    await rest("POST", `/api-keys/${revoked.id}/revoke`, as(editor));
    expect(await list(editor)).toMatchObject([
      { name: "revoked", status: "Revoked", isExpired: false, expiresAt: null },
      { name: "expired", status: "Active", isExpired: true, expiresAt: "2020-01-01T00:00:00.000Z" },
    ]);
  });

  test("returns only metadata", async () => {
    await create(editor, {});
    const [item] = await list(editor);
    expect(Object.keys(item ?? {}).sort()).toEqual(
      [
        ...[
          "allowedNetworks",
          "allowedProjectIds",
          "createdAt",
          "lastUsedAddress",
          "expiresAt",
          "id",
          "isExpired",
          "lastUsedAt",
        ],
        ...["name", "ownerKind", "parentKeyId", "prefix", "replacedById", "scopes", "status", "user"],
      ].sort(),
    );
  });

  test("shows a damaged list of projects as empty, never as unlimited", async () => {
    const project = await aProject();
    const { id } = (await create(editor, { allowedProjectIds: [project.id] })).body;
    for (const allowedProjectIds of [null, [], "all", { a: 1 }]) {
      await db.update(apiKeys).set({ allowedProjectIds }).where(eq(apiKeys.id, id));
      expect(await list(editor)).toMatchObject([{ allowedProjectIds: [] }]);
    }
  });
});

describe("revoking", () => {
  const revoke = (user: User, id: number) => rest("POST", `/api-keys/${id}/revoke`, as(user));

  test("returns the current key, is repeatable, and keeps the first time", async () => {
    const { id } = (await create(editor, {})).body;
    const first = await revoke(editor, id);
    expect([first.status, first.body.status]).toEqual([200, "Revoked"]);
    expect(Object.keys(first.body)).not.toContain("rawKey");
    const [before] = await db.select().from(apiKeys);
    const again = await revoke(editor, id);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await db.select().from(apiKeys))[0]?.revokedAt).toEqual(before?.revokedAt);
  });

  test("is for the caller's own keys; for an Admin, everyone's", async () => {
    const { id } = (await create(editor, {})).body;
    expect((await revoke(viewer, id)).status).toBe(404);
    expect((await revoke(viewer, 2_000_000_000)).status).toBe(404);
    expect((await db.select().from(apiKeys))[0]?.revokedAt).toBeNull();
    expect((await revoke(admin, id)).body.status).toBe("Revoked");
  });

  test("a key may revoke itself", async () => {
    const { id, headers } = await aKey();
    expect((await rest("POST", `/api-keys/${id}/revoke`, { headers })).status).toBe(200);
    expect((await rest("POST", `/api-keys/${id}/revoke`, { headers })).status).toBe(401);
  });
});

test("a caller with a key is described as such", async () => {
  const project = await aProject();
  const by = await asEditor();
  const { headers } = await aKey({ scopes: ["Read", "Execute"], allowedProjectIds: [project.id] }, by);
  const { status, body } = await rest("GET", "/auth/me", { headers });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    kind: "ApiKey",
    user: { id: by.principal.userId, role: "Editor" },
    role: "Editor",
    scopes: ["Read", "Execute"],
    projectIds: [project.id],
  });
  const unlimited = await aKey({ scopes: ["Read"] }, await asViewer());
  expect((await rest("GET", "/auth/me", unlimited)).body).toMatchObject({ role: "Viewer", projectIds: null });
});
