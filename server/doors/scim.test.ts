import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLog } from "../audit/tables.ts";
import { admitPerson } from "../auth/service/admit.ts";
import { projectMembers, users } from "../auth/tables.ts";
import { db } from "../db/client.ts";
import { addressHeader } from "../request-headers.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { asEditor } from "../test/factories/principals.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { handleScim } from "./scim.ts";

/** As identity providers call it: shapes by RFC 7643 and 7644, and the forms that Entra ID and Okta send. */
const token = "a-token-that-only-these-tests-know-of";
Object.assign(process.env, {
  SCIM_TOKEN: token,
  SCIM_ROLES: "Admin=admins,Editor=everywhere",
  SCIM_PROJECT_ROLES: "Sales:Editor=sales,Sales:Viewer=readers",
});

const userUrn = "urn:ietf:params:scim:schemas:core:2.0:User";
const groupUrn = "urn:ietf:params:scim:schemas:core:2.0:Group";
const patchUrn = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
let sales: { id: number };
let admin: string;

beforeAll(async () => {
  sales = await aProject({ name: "Sales" });
});
beforeEach(async () => {
  admin = await cookieOf(await aUser("Admin"));
});

async function scim(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await handleScim(
    new Request(`http://localhost:3000/svc/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        [addressHeader]: "203.0.113.5",
        ...(body && { "content-type": "application/scim+json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  if (text) expect(response.headers.get("content-type")).toBe("application/scim+json");
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

let count = 0;
function aPerson(more: object = {}) {
  count += 1;
  const userName = `bjensen-${count}@example.com`;
  return { schemas: [userUrn], userName, externalId: `ext-${count}`, displayName: `Babs ${count}`, ...more };
}
const pushed = async (more: object = {}) => (await scim("POST", "/Users", aPerson(more))).body;
const patch = (path: string, ...Operations: object[]) =>
  scim("PATCH", path, { schemas: [patchUrn], Operations });
const aGroup = async (displayName: string, ...ids: string[]) =>
  (
    await scim("POST", "/Groups", {
      schemas: [groupUrn],
      displayName,
      members: ids.map((value) => ({ value })),
    })
  ).body;

/** The user's role, or their role in each project. */
async function accessOf(id: string) {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.id, Number(id)));
  if (!user?.limitedToProjects) return user?.role;
  const rows = await db.select().from(projectMembers).where(eq(projectMembers.userId, user.id));
  return Object.fromEntries(rows.map(({ projectId, role }) => [projectId, role]));
}

describe("authentication", () => {
  test.each<[string, Record<string, string>]>([
    ["no token", { authorization: "" }],
    ["another token", { authorization: `Bearer ${token}x` }],
    ["the token without its scheme", { authorization: token }],
  ])("%s is a 401 in SCIM's form (RFC 7644, 3.12)", async (_, headers) => {
    const { status, body, ...answer } = await scim("GET", "/Users", undefined, headers);
    expect([status, body]).toEqual([
      401,
      {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        detail: "Authentication is required",
        status: "401",
      },
    ]);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("neither an Admin's session nor an Admin's key is one; the token opens nothing else", async () => {
    const key = await aKey();
    for (const headers of [{ cookie: admin, authorization: "" }, key.headers])
      expect((await scim("GET", "/Users", undefined, headers)).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await rest("GET", "/users", { headers })).status).toBe(401);
  });
});

describe("discovery (RFC 7644, 4)", () => {
  test("says what is supported", async () => {
    const { body } = await scim("GET", "/ServiceProviderConfig");
    expect(body).toMatchObject({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      authenticationSchemes: [{ type: "oauthbearertoken" }],
    });
  });

  test("lists resource types and schemas, and returns one of each", async () => {
    const types = (await scim("GET", "/ResourceTypes")).body;
    expect(types.Resources.map(({ id, endpoint }: Record<string, string>) => [id, endpoint])).toEqual([
      ["User", "/Users"],
      ["Group", "/Groups"],
    ]);
    expect((await scim("GET", `/Schemas/${userUrn}`)).body).toMatchObject({ id: userUrn, name: "User" });
    expect((await scim("GET", "/Schemas/urn:x")).status).toBe(404);
    expect((await scim("GET", "/Bulk")).status).toBe(404);
  });
});

describe("users", () => {
  test("are created (RFC 7644, 3.3), and can be read by their location", async () => {
    const person = aPerson({
      displayName: undefined,
      name: { formatted: "Ms. Barbara J Jensen III", familyName: "Jensen", givenName: "Barbara" },
      emails: [
        { value: "other@example.com", type: "home" },
        { value: "babs@example.com", primary: true },
      ],
    });
    const { status, headers, body } = await scim("POST", "/Users", person);
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`http://localhost:3000/svc/scim/v2/Users/${body.id}`);
    expect(body).toEqual({
      schemas: [userUrn],
      id: expect.stringMatching(/^\d+$/),
      externalId: person.externalId,
      userName: person.userName,
      name: { formatted: "Ms. Barbara J Jensen III" },
      displayName: "Ms. Barbara J Jensen III",
      emails: [{ value: "babs@example.com", type: "work", primary: true }],
      active: true,
      groups: [],
      meta: {
        resourceType: "User",
        created: expect.stringMatching(/Z$/),
        lastModified: expect.stringMatching(/Z$/),
        location: headers.get("location"),
      },
    });
    expect((await scim("GET", `/Users/${body.id}`)).body).toEqual(body);
    // Nothing until a group gives something.
    expect(await accessOf(body.id)).toEqual({});
  });

  test("of a taken name are a conflict (RFC 7644, 3.3.1)", async () => {
    const person = aPerson();
    await scim("POST", "/Users", person);
    const { status, body } = await scim("POST", "/Users", {
      ...person,
      userName: person.userName.toUpperCase(),
    });
    expect([status, body.status, body.scimType]).toEqual([409, "409", "uniqueness"]);
  });

  test("take over the account with their address, which keeps what it has made", async () => {
    const account = await aUser("Viewer");
    const body = await pushed({ userName: "someone", emails: [{ value: account.email.toUpperCase() }] });
    expect(body).toMatchObject({ id: String(account.id), userName: "someone" });
  });

  test("are found by a filter (RFC 7644, 3.4.2), whatever the case of its name", async () => {
    const { id, userName, externalId } = await pushed();
    for (const filter of [
      `userName eq "${userName.toUpperCase()}"`,
      `externalId eq "${externalId}"`,
      `emails.value eq "${userName}"`,
      `id eq "${id}"`,
    ]) {
      const { body } = await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`);
      expect(body).toMatchObject({
        schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
        ...{ totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [{ id }] },
      });
    }
    // Okta and Entra ID ask before they create: nobody is an empty list, not a 404.
    const nobody = await scim("GET", `/Users?filter=${encodeURIComponent('userName eq "nobody"')}`);
    expect([nobody.status, nobody.body.totalResults, nobody.body.Resources]).toEqual([200, 0, []]);
    const bad = await scim("GET", `/Users?filter=${encodeURIComponent('userName sw "b"')}`);
    expect([bad.status, bad.body.scimType]).toEqual([400, "invalidFilter"]);
  });

  test("are listed in pages (RFC 7644, 3.4.2.4)", async () => {
    const own = [await pushed(), await pushed(), await pushed()];
    const all = (await scim("GET", "/Users?count=200")).body;
    const index = all.Resources.findIndex(({ id }: { id: string }) => id === own[1].id) + 1;
    const page = (await scim("GET", `/Users?startIndex=${index}&count=1`)).body;
    expect(page).toMatchObject({ totalResults: all.totalResults, startIndex: index, itemsPerPage: 1 });
    expect(page.Resources[0].id).toBe(own[1].id);
    expect((await scim("GET", "/Users?count=0")).body.Resources).toEqual([]);
    expect((await scim("GET", "/Users?count=x")).status).toBe(400);
  });

  test("are replaced (RFC 7644, 3.5.1)", async () => {
    const { id, userName } = await pushed();
    const { status, body } = await scim("PUT", `/Users/${id}`, { userName, displayName: "Barbara" });
    expect([status, body.displayName, body.externalId]).toEqual([200, "Barbara", undefined]);
    expect((await scim("PUT", "/Users/2000000000", { userName: "x@y.z" })).status).toBe(404);
    expect((await scim("PUT", "/Users/x", { userName: "x@y.z" })).status).toBe(404);
    const bad = await scim("PUT", `/Users/${id}`, { displayName: "No name" });
    expect([bad.status, bad.body.scimType]).toEqual([400, "invalidValue"]);
  });

  test("are changed as Entra ID does it", async () => {
    const { id } = await pushed();
    const { status, body } = await patch(
      `/Users/${id}`,
      { op: "Replace", path: "displayName", value: "Babs J." },
      { op: "Add", path: 'emails[type eq "work"].value', value: `entra-${id}@example.com` },
      {
        op: "Add",
        path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
        value: "IT",
      },
    );
    expect([status, body.displayName, body.emails[0].value]).toEqual([
      200,
      "Babs J.",
      `entra-${id}@example.com`,
    ]);
    const parts = await patch(`/Users/${id}`, {
      op: "Replace",
      value: { "name.givenName": "Barbara", "name.familyName": "Jensen" },
    });
    expect(parts.body.displayName).toBe("Barbara Jensen");
  });

  test.each<[string, object]>([
    ["as Okta does it", { op: "replace", value: { active: false } }],
    ["as Entra ID does it", { op: "Replace", path: "active", value: "False" }],
  ])(
    "are deactivated %s: sessions and keys end at once, and enabling restores the keys",
    async (_, operation) => {
      const editor = await asEditor();
      const key = await aKey({ scopes: ["Read"] }, editor);
      const [account] = await db.select().from(users).where(eq(users.id, editor.principal.userId));
      const { id } = await pushed({ userName: account?.email });
      await aGroup(`everywhere`, id).then(({ id: group }) => scim("DELETE", `/Groups/${group}`));
      const cookie = await cookieOf({ id: Number(id) });
      expect((await rest("GET", "/auth/me", { cookie })).status).toBe(200);
      expect((await patch(`/Users/${id}`, operation)).body.active).toBe(false);
      expect((await rest("GET", "/auth/me", { cookie })).status).toBe(401);
      expect((await rest("GET", "/auth/me", key)).status).toBe(401);
      expect((await patch(`/Users/${id}`, { op: "replace", value: { active: true } })).body.active).toBe(
        true,
      );
      expect((await rest("GET", "/auth/me", { cookie })).status).toBe(401);
      expect((await rest("GET", "/auth/me", key)).status).toBe(200);
    },
  );

  test("are deprovisioned by a delete (RFC 7644, 3.6), and may come back", async () => {
    const person = aPerson();
    const { id } = (await scim("POST", "/Users", person)).body;
    const cookie = await cookieOf({ id: Number(id) });
    expect((await scim("DELETE", `/Users/${id}`)).status).toBe(204);
    expect((await scim("DELETE", `/Users/${id}`)).status).toBe(404);
    expect((await scim("GET", `/Users/${id}`)).status).toBe(404);
    expect((await rest("GET", "/auth/me", { cookie })).status).toBe(401);
    const again = await scim("POST", "/Users", person);
    expect([again.status, again.body.id, again.body.active]).toEqual([201, id, true]);
  });

  test("that are the last Admin stay", async () => {
    const { id } = await pushed();
    await aGroup("admins", id).then(async ({ id: group }) => {
      await db.update(users).set({ enabled: false }).where(eq(users.role, "Admin"));
      await db
        .update(users)
        .set({ enabled: true })
        .where(eq(users.id, Number(id)));
      const { status, body } = await patch(`/Users/${id}`, { op: "replace", value: { active: false } });
      expect([status, body.scimType]).toEqual([409, "mutability"]);
      expect((await scim("DELETE", `/Groups/${group}`)).status).toBe(409);
      expect(await accessOf(id)).toBe("Admin");
      await aUser("Admin");
      expect((await scim("DELETE", `/Groups/${group}`)).status).toBe(204);
    });
  });
});

describe("groups", () => {
  test("give roles and projects to their members, and take them along", async () => {
    const [one, other] = [await pushed(), await pushed()];
    const readers = await aGroup("readers", one.id, other.id);
    expect(readers).toMatchObject({
      schemas: [groupUrn],
      displayName: "readers",
      members: [{ value: one.id, display: one.displayName }, { value: other.id }],
      meta: { resourceType: "Group" },
    });
    expect(await accessOf(one.id)).toEqual({ [sales.id]: "Viewer" });
    const own = await aGroup("sales", one.id);
    expect(await accessOf(one.id)).toEqual({ [sales.id]: "Editor" });
    const all = await aGroup("everywhere", one.id);
    expect(await accessOf(one.id)).toBe("Editor");
    expect(
      (await scim("GET", `/Users/${one.id}`)).body.groups.map(({ display }: { display: string }) => display),
    ).toEqual(["readers", "sales", "everywhere"]);
    // Okta removes by a condition, Entra ID by a value.
    await patch(`/Groups/${all.id}`, { op: "remove", path: `members[value eq "${one.id}"]` });
    expect(await accessOf(one.id)).toEqual({ [sales.id]: "Editor" });
    await patch(`/Groups/${own.id}`, { op: "Remove", path: "members", value: [{ value: one.id }] });
    expect(await accessOf(one.id)).toEqual({ [sales.id]: "Viewer" });
    expect((await scim("DELETE", `/Groups/${readers.id}`)).status).toBe(204);
    expect([await accessOf(one.id), await accessOf(other.id)]).toEqual([{}, {}]);
    for (const { id } of [own, all]) await scim("DELETE", `/Groups/${id}`);
  });

  test("are found by name, without their members where that is asked for", async () => {
    const { id } = await aGroup("Tour Guides", (await pushed()).id);
    const filter = encodeURIComponent('displayName eq "tour guides"');
    const { body } = await scim("GET", `/Groups?excludedAttributes=members&filter=${filter}`);
    expect(body.Resources).toMatchObject([{ id, displayName: "Tour Guides" }]);
    expect(body.Resources[0]).not.toHaveProperty("members");
    expect((await scim("GET", `/Groups/${id}`)).body.members).toHaveLength(1);
    const again = await scim("POST", "/Groups", { displayName: "TOUR GUIDES" });
    expect([again.status, again.body.scimType]).toEqual([409, "uniqueness"]);
  });

  test("are renamed and replaced; a new name counts at once", async () => {
    const { id } = await pushed();
    const group = await aGroup("Later", id);
    expect(await accessOf(id)).toEqual({});
    await patch(`/Groups/${group.id}`, { op: "replace", value: { id: group.id, displayName: "sales" } });
    expect(await accessOf(id)).toEqual({ [sales.id]: "Editor" });
    await scim("PUT", `/Groups/${group.id}`, { displayName: "sales", members: [] });
    expect(await accessOf(id)).toEqual({});
    await scim("DELETE", `/Groups/${group.id}`);
  });

  test("have members that were pushed here", async () => {
    const { id } = await aUser("Viewer");
    const { status, body } = await scim("POST", "/Groups", {
      displayName: "Strangers",
      members: [{ value: String(id) }],
    });
    expect([status, body.scimType]).toEqual([400, "invalidValue"]);
  });
});

test("whose groups decide cannot be given other access by hand, and the page says so", async () => {
  const { id, displayName: name } = await pushed();
  const group = await aGroup("sales", id);
  const { body } = await rest("GET", "/users", { cookie: admin });
  expect(body.items.find((user: { id: number }) => user.id === Number(id))).toMatchObject({
    managedBy: "Scim",
  });
  const { status } = await rest("PUT", `/users/${id}`, {
    cookie: admin,
    json: { name, role: "Admin", projectRoles: null },
  });
  expect(status).toBe(422);
  await scim("DELETE", `/Groups/${group.id}`);
});

test("groups that were pushed decide at a sign-in with OIDC, also the first, and not its claims", async () => {
  const { id, userName: email, displayName: name } = await pushed();
  const group = await aGroup("sales", id);
  const identity = {
    ...{ issuer: "https://id.example.com", subject: `subject-${id}`, name, email, isEmailVerified: true },
    ...{ role: "Admin" as const, projectRoles: [] },
  };
  for (const claimed of [{ ...identity, role: null }, identity]) {
    expect(await admitPerson(claimed, async () => {})).toMatchObject({ user: { id: Number(id) } });
    expect(await accessOf(id)).toEqual({ [sales.id]: "Editor" });
  }
  await scim("DELETE", `/Groups/${group.id}`);
});

test("all of it is in the audit log, without the token", async () => {
  const rows = await db.select().from(auditLog).where(eq(auditLog.principalName, "SCIM"));
  const told = rows.map(({ action, detail }) => `${action} ${detail}`);
  expect(told).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^users\.create Babs \d+, by SCIM$/),
      expect.stringMatching(/^users\.update Babs \d+, disabled, by SCIM$/),
      expect.stringMatching(/^users\.group sales: 1 added, 0 removed, by SCIM$/),
      expect.stringMatching(/^users\.update No access becomes Editor in project \d+, by SCIM$/),
    ]),
  );
  expect(JSON.stringify(rows)).not.toContain(token);
});

test.each<[string, string, Record<string, string>, string | undefined, number]>([
  ["a body that is no JSON", "/Users", { "content-type": "application/json" }, "{", 400],
  ["another type of body", "/Users", { "content-type": "text/plain" }, "{}", 415],
  [
    "a body that is too large",
    "/Users",
    { "content-type": "application/json" },
    `"${"x".repeat(1_100_000)}"`,
    413,
  ],
])("%s is refused", async (_, path, headers, body, expected) => {
  const request = new Request(`http://localhost:3000/svc/scim/v2${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body }),
  });
  const response = await handleScim(request);
  expect([response.status, (await response.json()).status]).toEqual([expected, String(expected)]);
});
