import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { approve } from "../approvals/service/decide.ts";
import { db } from "../db/client.ts";
import { deliveries } from "../notifications/tables.ts";
import { updateQuery } from "../queries/service/save-query.ts";
import { showSettings, updateSettings } from "../settings/service.ts";
import { settings, settingsChanges } from "../settings/tables.ts";
import { listAssignees } from "../tasks/service/tasks.ts";
import { bearer } from "../test/factories/api-keys.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { aNotification } from "../test/factories/notifications.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aMember, aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import type { SignedIn } from "./principal.ts";
import { users } from "./tables.ts";

let admin: SignedIn;
let cookie: string;
beforeAll(async () => {
  admin = await asAdmin();
  cookie = await cookieOf({ id: admin.principal.userId });
});

type Caller = { cookie: string } | { headers: Record<string, string> };

async function anAccount(json: object = { role: "Editor" }) {
  const { status, body } = await rest("POST", "/service-accounts", {
    cookie,
    json: { name: "Pipeline", ...json },
  });
  expect(status).toBe(201);
  return body as { id: number; revision: number };
}
const createKey = (account: { id: number }, json: object = {}, caller: Caller = { cookie }) =>
  rest("POST", "/api-keys", {
    ...caller,
    json: { name: "CI", scopes: ["Execute"], serviceAccountId: account.id, ...json },
  });
async function aKeyOf(account: { id: number }, json: object = {}) {
  const { status, body } = await createKey(account, json);
  expect(status).toBe(201);
  return { id: body.id as number, headers: bearer(body.rawKey) };
}
const update = (id: number, json: object) =>
  rest("PUT", `/service-accounts/${id}`, { cookie, json: { name: "Pipeline", ...json } });
const statusOf = async (caller: Caller) => (await rest("GET", "/projects", caller)).status;

describe("a service account's key", () => {
  test("acts in the account's name, with at most its role", async () => {
    const account = await anAccount();
    const { headers } = await aKeyOf(account);
    const { body: me } = await rest("GET", "/auth/me", { headers });
    expect(me).toMatchObject({ kind: "ApiKey", role: "Editor", user: { id: account.id, name: "Pipeline" } });

    const { status, body } = await createKey(account, { scopes: ["Admin"] });
    expect([status, body.detail]).toEqual([403, "A key of this service account cannot have the scope Admin"]);
    await update(account.id, { role: "Viewer" });
    expect((await rest("GET", "/auth/me", { headers })).body.role).toBe("Viewer");
  });

  test("outlives the person who created it", async () => {
    const leaver = await aUser("Admin");
    const account = await anAccount();
    const { body } = await createKey(account, {}, { cookie: await cookieOf(leaver) });
    const headers = bearer(body.rawKey);
    await rest("PUT", `/users/${leaver.id}`, {
      cookie,
      json: { name: leaver.name, role: "Admin", enabled: false },
    });
    expect(await statusOf({ headers })).toBe(200);
  });

  test("is suspended while the account is disabled", async () => {
    const account = await anAccount();
    const { headers } = await aKeyOf(account);
    expect((await update(account.id, { role: "Editor", enabled: false })).status).toBe(200);
    expect(await statusOf({ headers })).toBe(401);
    expect((await createKey(account)).status).toBe(409);
    await update(account.id, { role: "Editor", enabled: true });
    expect(await statusOf({ headers })).toBe(200);
  });

  test("reaches only the projects of an account that is limited to some", async () => {
    const [north, south] = [await aProject(), await aProject()];
    const account = await anAccount({ projectRoles: [{ projectId: north.id, role: "Viewer" }] });
    const { headers } = await aKeyOf(account, { scopes: ["Read"] });
    const { body } = await rest("GET", "/projects", { headers });
    expect(body.items.map(({ id }: { id: number }) => id)).toEqual([north.id]);
    expect((await rest("GET", `/projects/${south.id}`, { headers })).status).toBe(404);
    const { body: members } = await rest("GET", `/projects/${north.id}/members`, { cookie });
    expect(members.items).toContainEqual({
      ...{ user: { id: account.id, name: "Pipeline" }, kind: "ServiceAccount" },
      ...{ role: "Viewer", isMember: true, managedBy: null },
    });
  });

  test("is listed as its owner's, and can be rotated by an Admin, but not by itself", async () => {
    const account = await anAccount({ role: "Admin" });
    const key = await aKeyOf(account, { scopes: ["Admin"] });
    const { body } = await rest("GET", "/api-keys", { cookie });
    expect(body.items.find(({ id }: { id: number }) => id === key.id)).toMatchObject({
      ...{ user: { id: account.id, name: "Pipeline" }, ownerKind: "ServiceAccount" },
    });
    const rotate = (caller: Caller) =>
      rest("POST", `/api-keys/${key.id}/rotate`, { ...caller, json: { overlapHours: 0 } });
    expect((await rotate({ headers: key.headers })).status).toBe(403);
    const rotated = await rotate({ cookie });
    expect(rotated.body).toMatchObject({ user: { id: account.id }, ownerKind: "ServiceAccount" });
    expect(await statusOf({ headers: key.headers })).toBe(401);
    expect(await statusOf({ headers: bearer(rotated.body.rawKey) })).toBe(200);
  });

  test("is created by a signed-in Admin of all projects, and nobody else", async () => {
    const account = await anAccount();
    const { body: own } = await rest("POST", "/api-keys", {
      cookie,
      json: { name: "Own", scopes: ["Admin"] },
    });
    const member = await aMember({ projectId: (await aProject()).id, role: "Admin" });
    const callers: Caller[] = [
      { headers: bearer(own.rawKey) },
      { cookie: await cookieOf(await aUser("Editor")) },
      { cookie: await cookieOf(member) },
    ];
    for (const caller of callers) {
      const { status } = await createKey(account, { scopes: ["Read"] }, caller);
      expect.soft(status).toBe(403);
    }
    for (const id of [admin.principal.userId, 999_999])
      expect((await createKey({ id })).status, "not a service account").toBe(404);
  });
});

describe("a service account is no person", () => {
  test("it is no user, and what is done to users cannot be done to it", async () => {
    const account = await anAccount();
    const list = async (path: string): Promise<number[]> =>
      (await rest("GET", path, { cookie })).body.items.map(({ id }: { id: number }) => id);
    expect(await list("/users")).not.toContain(account.id);
    expect(await list("/service-accounts")).toContain(account.id);
    const json = { name: "Taken", role: "Viewer" };
    expect((await rest("PUT", `/users/${account.id}`, { cookie, json })).status).toBe(404);
    expect((await update(admin.principal.userId, { role: "Viewer" })).status).toBe(404);
  });

  test("nobody can give it anything to sign in with", async () => {
    const account = await anAccount();
    const [stored] = await db.select().from(users).where(eq(users.id, account.id));
    expect(stored).toMatchObject({ passwordHash: null });
    expect(stored?.email).not.toContain("@");
    const giving = (set: object) => db.update(users).set(set).where(eq(users.id, account.id));
    for (const set of [{ passwordHash: "$2b$10$x" }, { email: "ada@example.com" }])
      await expect(giving(set)).rejects.toMatchObject({
        cause: { constraint_name: "users_no_sign_in" },
      });
  });

  test("nothing is assigned or sent to it", async () => {
    const account = await anAccount();
    const ids = (await listAssignees(admin)).items.map(({ id }) => id);
    expect(ids).toContain(admin.principal.userId);
    expect(ids).not.toContain(account.id);
    const userIds = [account.id, admin.principal.userId];
    const cause = { kind: "Task" as const, id: 1 };
    const notificationId = await aNotification({ projectId: (await aProject()).id, cause, userIds });
    const told = await db
      .select({ userId: deliveries.userId })
      .from(deliveries)
      .where(eq(deliveries.notificationId, notificationId ?? 0));
    expect(told).toEqual([{ userId: admin.principal.userId }]);
  });

  test("it is not the Admin who remains", async () => {
    await anAccount({ role: "Admin" });
    await db.execute(
      sql`update users set enabled = false where kind = 'Person' and id <> ${admin.principal.userId}`,
    );
    const { status, body } = await rest("PUT", `/users/${admin.principal.userId}`, {
      cookie,
      json: { name: "Ada", role: "Viewer" },
    });
    await db.execute(sql`update users set enabled = true where kind = 'Person'`);
    expect([status, body.detail]).toEqual([409, "The last enabled Admin cannot be disabled or demoted"]);
  });

  test("a key cannot create an Admin of it", async () => {
    const { body } = await rest("POST", "/api-keys", { cookie, json: { name: "Own", scopes: ["Admin"] } });
    const post = (json: object) =>
      rest("POST", "/service-accounts", { headers: bearer(body.rawKey), json: { name: "Robot", ...json } });
    expect((await post({ role: "Admin" })).status).toBe(403);
    expect((await post({ role: "Editor" })).status).toBe(201);
  });
});

describe("decisions take a person", () => {
  async function aChangeBy(account: { id: number }) {
    const source = await aDataSource();
    const query = await aQuery({ name: "Orders", dataSource: source, sql: "select 1 as one" }, admin);
    const principal = {
      ...{ kind: "ApiKey" as const, userId: account.id, keyId: 1, name: "CI", isServiceAccount: true },
      ...{ role: "Admin" as const, scopes: ["Admin" as const], projectIds: null },
    };
    const by: SignedIn = { ...admin, principal };
    const sql = "select 2 as two";
    await updateQuery(by, { id: query.id, name: "Orders", steps: [{ dataSourceId: source.id, sql }] });
    const { body } = await rest("GET", "/approvals/pending", { cookie });
    const found = body.items.find(({ queryId }: { queryId: number }) => queryId === query.id);
    return found.id as number;
  }

  test("its keys approve and reject nothing, whatever their scope", async () => {
    await updateSettings(admin, { approvalWorkflow: true, fourEyes: false });
    const account = await anAccount({ role: "Admin" });
    const { headers } = await aKeyOf(account, { scopes: ["Admin"] });
    const id = await aChangeBy(await anAccount());
    for (const decision of ["approve", "reject"])
      expect((await rest("POST", `/approvals/${id}/${decision}`, { headers, json: {} })).status).toBe(403);
    expect((await rest("POST", "/ai-actors/plans/1/approve", { headers, json: {} })).status).toBe(403);
    expect((await rest("POST", `/approvals/${id}/approve`, { cookie, json: {} })).status).toBe(200);
    await db.delete(settings);
  });

  test("with four eyes on, whoever made one of its keys does not approve its changes", async () => {
    await updateSettings(admin, { approvalWorkflow: true, fourEyes: true });
    const account = await anAccount({ role: "Admin" });
    const other = await asAdmin();
    const key = await aKeyOf(account, { scopes: ["Admin"] });
    const id = await aChangeBy(account);
    await expect(approve(admin, { id })).rejects.toMatchObject({
      ...{
        code: "forbidden",
        message: expect.stringContaining("you have created a key of the service account"),
      },
    });
    const waiting = await rest("GET", "/needs-attention", { cookie });
    const shown = waiting.body.items.filter(
      (item: { kind: string; id: number }) => item.kind === "QueryChange" && item.id === id,
    );
    expect(shown).toEqual([]);
    // Revoked or not: it has been seen.
    await rest("POST", `/api-keys/${key.id}/revoke`, { cookie, json: {} });
    await expect(approve(admin, { id })).rejects.toMatchObject({ code: "forbidden" });
    expect(await approve(other, { id })).toMatchObject({ status: "Approved" });

    const second = await aKeyOf(account, { scopes: ["Read"] });
    await rest("POST", `/api-keys/${second.id}/rotate`, {
      cookie: await cookieOf({ id: other.principal.userId }),
      json: {},
    });
    await expect(approve(other, { id: await aChangeBy(account) })).rejects.toMatchObject({
      code: "forbidden",
    });
    await db.delete(settings);
  });

  test("it does not turn approval off, or ask to", async () => {
    await updateSettings(admin, { approvalWorkflow: true, fourEyes: true });
    const { headers } = await aKeyOf(await anAccount({ role: "Admin" }), { scopes: ["Admin"] });
    const json = { approvalWorkflow: false, fourEyes: false };
    const { status, body } = await rest("PUT", "/settings", { headers, json });
    expect([status, body.detail]).toEqual([403, "Only a person can turn off approval or four eyes"]);
    const { pendingChange, ...held } = await showSettings();
    expect(pendingChange).toBeUndefined();
    expect(held).toMatchObject({ approvalWorkflow: true, fourEyes: true });
    // A person asks, and it does not decide about that either.
    await updateSettings(admin, { approvalWorkflow: false, fourEyes: true });
    const asked = (await showSettings()).pendingChange;
    for (const decision of ["approve", "reject"]) {
      const path = `/settings/changes/${asked?.id}/${decision}`;
      const { status, body } = await rest("POST", path, { headers, json: {} });
      expect.soft([status, body.detail]).toEqual([403, "Only a person can decide about settings"]);
    }
    expect((await showSettings()).pendingChange?.id).toBe(asked?.id);
    await db.delete(settingsChanges);
    await db.delete(settings);
  });
});

describe("bad input", () => {
  test.each([
    ["no role", { name: "Robot" }],
    ["a role besides projects", { name: "Robot", role: "Viewer", projectRoles: [] }],
    ["an empty name", { name: " ", role: "Viewer" }],
    ["an email address", { name: "Robot", role: "Viewer", email: "robot@example.com" }],
  ])("%s is rejected", async (_, json) => {
    expect((await rest("POST", "/service-accounts", { cookie, json })).status).toBe(400);
  });

  test("an edit that is based on an old revision is a conflict", async () => {
    const account = await anAccount();
    await update(account.id, { role: "Viewer" });
    const { status, body } = await update(account.id, { role: "Editor", baseRevision: account.revision });
    expect(status).toBe(409);
    expect(body.detail).toBe(
      "The service account is at revision 2, but this edit is based on 1: now Pipeline, Viewer, enabled.",
    );
  });
});
