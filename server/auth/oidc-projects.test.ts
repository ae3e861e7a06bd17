import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "../db/client.ts";
import { env } from "../env.ts";
import { projects } from "../projects/tables.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aMember, aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { configuredOidc } from "./oidc.ts";
import { identityOf } from "./oidc-claims.ts";
import type { Change } from "./principal.ts";
import { admitPerson } from "./service/admit.ts";
import { projectMembers, users } from "./tables.ts";

/** Which projects the groups at the provider lead to; e2e/oidc.spec.ts signs in there. */
Object.assign(process.env, {
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "plumbline",
  OIDC_CLIENT_SECRET: "a secret that only tests use",
  OIDC_NAME: "Example Corp",
  OIDC_ROLES: "Admin=admins,Editor=everywhere",
  OIDC_PROJECT_ROLES:
    "Sales:Editor=sales,Sales:Viewer=readers,HR:Admin=hr,Twin:Admin=twins,Nowhere:Admin=lost",
});

let sales: { id: number };
let hr: { id: number };
let admin: string;
let recorded: Change[];

beforeAll(async () => {
  sales = await aProject({ name: "Sales" });
  hr = await aProject({ name: "HR" });
  await aProject({ name: "Twin" });
  await aProject({ name: "Twin" });
  admin = await cookieOf(await aUser("Admin"));
  await aUser("Admin");
});
beforeEach(() => {
  recorded = [];
});

const record = async (change: Change) => void recorded.push(change);

let count = 0;
const someone = () => {
  count += 1;
  return `person-${count}`;
};

async function signIn(sub: string, groups: string[]) {
  const oidc = configuredOidc();
  const identity = oidc && identityOf({ sub, groups, name: sub }, oidc);
  if (!identity) throw new Error("The claims identify nobody");
  return admitPerson(identity, record);
}

/** The user's projects as the database has them, or their role. */
async function storedAccess(name: string) {
  const [user] = await db.select().from(users).where(eq(users.name, name));
  if (!user) return null;
  if (!user.limitedToProjects) return user.role;
  const rows = await db.select().from(projectMembers).where(eq(projectMembers.userId, user.id));
  return Object.fromEntries(rows.map(({ projectId, role }) => [projectId, role]));
}

describe("a sign-in", () => {
  test("limits to the mapped projects, with the highest role in each", async () => {
    const name = someone();
    expect(await signIn(name, ["readers", "sales", "hr"])).toMatchObject({ user: { name } });
    expect(await storedAccess(name)).toEqual({ [sales.id]: "Editor", [hr.id]: "Admin" });
    expect(recorded).toMatchObject([{ action: "users.create", detail: `${name}, by OIDC` }]);
  });

  test("repeats the mapping: a group that is lost takes its project along, in sessions and keys", async () => {
    const name = someone();
    await signIn(name, ["sales", "hr"]);
    const [user] = await db.select().from(users).where(eq(users.name, name));
    const cookie = await cookieOf(user ?? { id: 0 });
    const { body: key } = await rest("POST", "/api-keys", {
      cookie,
      json: { name: "Pipeline", scopes: ["Read"], allowedProjectIds: [sales.id, hr.id] },
    });
    const byKey = { headers: { authorization: `Bearer ${key.rawKey}` } };
    await signIn(name, ["readers"]);
    expect(await storedAccess(name)).toEqual({ [sales.id]: "Viewer" });
    for (const call of [{ cookie }, byKey])
      expect((await rest("GET", "/projects", call)).body.items).toMatchObject([{ name: "Sales" }]);
    expect(recorded.at(-1)?.detail).toBe(
      `Editor in project ${sales.id}, Admin in project ${hr.id} becomes Viewer in project ${sales.id}, by OIDC`,
    );
  });

  test("goes from projects to a role in all of them, and back", async () => {
    const name = someone();
    await signIn(name, ["sales"]);
    await signIn(name, ["sales", "everywhere"]);
    expect(await storedAccess(name)).toBe("Editor");
    await signIn(name, ["sales"]);
    expect(await storedAccess(name)).toEqual({ [sales.id]: "Editor" });
    expect(recorded.map(({ detail }) => detail)).toEqual([
      `${name}, by OIDC`,
      `Editor in project ${sales.id} becomes Editor, by OIDC`,
      `Editor becomes Editor in project ${sales.id}, by OIDC`,
    ]);
  });

  test.each([
    ["no group", []],
    ["a project that does not exist", ["lost"]],
    ["a name that two projects have", ["twins"]],
  ])("with %s is refused, and takes what they had", async (_, groups) => {
    const stranger = someone();
    expect(await signIn(stranger, groups)).toEqual({ refusal: "NoRole" });
    expect(await storedAccess(stranger)).toBeNull();
    for (const former of [["sales"], ["everywhere"]]) {
      const name = someone();
      await signIn(name, former);
      expect(await signIn(name, groups)).toEqual({ refusal: "NoRole" });
      expect(await storedAccess(name)).toEqual({});
      expect(recorded.at(-1)?.detail).toMatch(/ becomes No access, by OIDC$/);
    }
  });

  test("of the same groups changes and records nothing", async () => {
    const name = someone();
    await signIn(name, ["sales"]);
    recorded = [];
    await signIn(name, ["sales"]);
    expect(recorded).toEqual([]);
  });
});

test("an ID names a project whose name is not unique", async () => {
  const [twin] = await db.select().from(projects).where(eq(projects.name, "Twin"));
  const before = env().OIDC_PROJECT_ROLES;
  env().OIDC_PROJECT_ROLES = [{ project: String(twin?.id), role: "Viewer", value: "twins" }];
  const name = someone();
  await signIn(name, ["twins"]);
  expect(await storedAccess(name)).toEqual({ [twin?.id ?? 0]: "Viewer" });
  env().OIDC_PROJECT_ROLES = before;
});

describe("someone whose groups decide", () => {
  test("cannot be given other access by hand, but be renamed and disabled", async () => {
    const name = someone();
    await signIn(name, ["sales"]);
    const { body } = await rest("GET", "/users", { cookie: admin });
    const user = body.items.find((each: { name: string }) => each.name === name);
    const projectRoles = [{ projectId: sales.id, role: "Editor" }];
    expect(user).toMatchObject({ managedBy: "Oidc", role: "Editor", projectRoles });
    const put = (json: object) =>
      rest("PUT", `/users/${user.id}`, { cookie: admin, json: { name, ...json } });
    const detail = `Example Corp decides what ${name} may do: change their groups there`;
    for (const json of [
      { role: "Admin", projectRoles: null },
      { projectRoles: [] },
      { projectRoles: [{ projectId: hr.id, role: "Editor" }] },
    ])
      expect(await put(json)).toMatchObject({ status: 422, body: { detail } });
    expect((await put({ projectRoles, enabled: false })).status).toBe(200);
    const member = `/projects/${sales.id}/members/${user.id}`;
    expect((await rest("PUT", member, { cookie: admin, json: { role: "Viewer" } })).status).toBe(422);
    expect((await rest("DELETE", member, { cookie: admin })).status).toBe(422);
    expect(await storedAccess(name)).toEqual({ [sales.id]: "Editor" });
  });

  test("is not someone who signs in with a password", async () => {
    const member = await aMember({ projectId: sales.id, role: "Viewer" });
    const path = `/projects/${hr.id}/members/${member.id}`;
    const { status, body } = await rest("PUT", path, { cookie: admin, json: { role: "Editor" } });
    expect([status, body]).toEqual([
      200,
      {
        user: { id: member.id, name: member.name },
        kind: "Person",
        role: "Editor",
        isMember: true,
        managedBy: null,
      },
    ]);
  });
});

describe("while password sign-in is off", () => {
  test("sessions that began with a password end, and neither passwords nor setup are accepted", async () => {
    const cookie = await cookieOf(await aUser("Admin"));
    const key = await aKey({}, await asAdmin());
    env().PASSWORD_SIGN_IN = false;
    try {
      expect((await rest("GET", "/auth/me", { cookie })).status).toBe(401);
      expect((await rest("GET", "/auth/me", key)).status).toBe(200);
      const [user] = await db.select().from(users).where(eq(users.role, "Admin"));
      const byOidc = await cookieOf(user ?? { id: 0 });
      await db.execute(sql`update sessions set signed_in_by = 'Oidc' where user_id = ${user?.id}`);
      expect((await rest("GET", "/auth/me", { cookie: byOidc })).status).toBe(200);
      const change = { current: "a long enough password", next: "another long password" };
      expect(
        (await rest("POST", "/auth/change-password", { cookie: byOidc, json: change })).body.detail,
      ).toBe("Password sign-in is off");
      // Whoever is created here signs in with the provider.
      const created = { name: "Grace", email: "grace@example.com", role: "Viewer" };
      expect((await rest("POST", "/users", { cookie: byOidc, json: created })).status).toBe(201);
    } finally {
      env().PASSWORD_SIGN_IN = true;
    }
    expect((await rest("GET", "/auth/me", { cookie })).status).toBe(200);
  });
});
