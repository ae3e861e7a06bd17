import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "../db/client.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aContract } from "../test/factories/contracts.ts";
import { aDataSource, aProject, ownConnection } from "../test/factories/data-sources.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aMember, aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import type { ManagedKind } from "./managed-kinds.ts";
import { managedThings } from "./tables.ts";

/** What files own cannot be edited by anyone who does not act for them, whichever kind of thing it is. */

let headers: Record<string, string>;
let cookie: string;
let projectId: number;
let dataSourceId: number;
let queryId: number;
let recipientId: number;

beforeAll(async () => {
  headers = (await aKey({ name: "Deploy" })).headers;
  [shop, other] = [acting("acme/shop", "checks/größe.yaml"), acting("acme/other", "other.yaml")];
  projectId = (await aProject({ name: "Shop" })).id;
  dataSourceId = (await aDataSource({ projectId })).id;
  queryId = (await aQuery({ projectId, dataSource: { id: dataSourceId, projectId } })).id;
  const json = { projectId, name: "Desk", type: "Email", destination: "desk@example.com" };
  recipientId = (await rest("POST", "/recipients", { headers, json })).body.id;
});
beforeEach(async () => {
  cookie = await cookieOf(await aUser("Admin"));
});

const acting = (stack: string, path: string) => ({
  headers: { ...headers, "plumbline-stack": stack, "plumbline-path": encodeURIComponent(path) },
});
let shop: ReturnType<typeof acting>;
let other: ReturnType<typeof acting>;

const kinds: { kind: ManagedKind; words: string; path: string; body: () => object; query?: string }[] = [
  { kind: "Project", words: "project", path: "/projects", body: () => ({ name: "Own" }) },
  {
    ...{ kind: "Recipient", words: "recipient", path: "/recipients" },
    body: () => ({ projectId, name: "Own", type: "Email", destination: "own@example.com" }),
  },
  {
    ...{ kind: "DataSource", words: "data source", path: "/data-sources" },
    body: () => ({ projectId, name: "Own", kind: "PostgreSql", connection: ownConnection() }),
  },
  {
    ...{ kind: "Query", words: "query", path: "/queries" },
    body: () => ({ projectId, name: "Own", steps: [{ dataSourceId, sql: "select 1" }] }),
  },
  {
    ...{ kind: "Subscription", words: "subscription", path: "/subscriptions" },
    body: () => ({ queryId, name: "Own", cronExpression: "0 6 * * *" }),
  },
  {
    ...{ kind: "Contract", words: "contract", path: "/data-quality/contracts" },
    body: () => ({
      ...{ name: "Own", dataSourceId, tableName: "projects", cronExpression: "0 6 * * *" },
      rules: [{ name: "Rows", type: "Volume", configuration: { minRows: 1 } }],
    }),
  },
  {
    ...{
      kind: "RuleTemplate",
      words: "rule template",
      path: "/data-quality/templates",
      query: "?rules=Remove",
    },
    body: () => ({
      ...{ projectId, name: "Own", selector: { tables: ["no-such-table"] } },
      rule: { name: "Rows", type: "Volume", configuration: { minRows: 1 } },
    }),
  },
  {
    ...{ kind: "IncidentPolicy", words: "incident policy", path: "/incident-policies" },
    body: () => ({ projectId, name: "Own", recipientIds: [recipientId] }),
  },
  {
    ...{ kind: "MaintenanceWindow", words: "maintenance window", path: "/maintenance-windows" },
    body: () => ({ projectId, name: "Own", cronExpression: "0 2 * * *", durationMinutes: 60 }),
  },
  {
    ...{ kind: "Actor", words: "AI actor", path: "/ai-actors" },
    body: () => ({ dataSourceId, name: "Own", instructions: "Watch.", activateImmediately: false }),
  },
];

const ofUpdate = (path: string, { projectId: _, kind: __, ...body }: Record<string, unknown>) =>
  path === "/recipients" ||
  path === "/data-sources" ||
  path.startsWith("/data-quality") ||
  path === "/incident-policies" ||
  path === "/maintenance-windows"
    ? body
    : { ...body, ...(path === "/queries" && { projectId }) };

const thingOf = async (kind: ManagedKind, id: number) =>
  (await rest("GET", `/stacks/things?kind=${kind}&id=${id}`, { headers })).body.items[0];

describe.each(kinds)("a $words", ({ kind, words, path, body, query = "" }) => {
  let id: number;
  const update = (caller: { cookie?: string; headers?: Record<string, string> }, name: string) =>
    rest("PUT", `${path}/${id}`, { ...caller, json: ofUpdate(path, { ...body(), name }) });
  beforeEach(async () => {
    const { status, body: created } = await rest("POST", path, { ...shop, json: body() });
    expect(status).toBe(201);
    id = created.id;
  });

  test("belongs to the stack that made it, and only the stack edits and removes it", async () => {
    expect(await thingOf(kind, id)).toMatchObject({
      ...{ kind, id, stack: "acme/shop", path: "checks/größe.yaml", revision: 1, takenOver: null },
      ...{ appliedBy: "Deploy (The Admin)", changedSince: [] },
    });
    const byPerson = await update({ cookie }, "By hand");
    expect([byPerson.status, byPerson.body.detail, byPerson.body.managedBy]).toEqual([
      409,
      `This ${words} is managed as code, by the stack acme/shop (checks/größe.yaml). Change it there, or have an Admin take it over.`,
      { stack: "acme/shop", path: "checks/größe.yaml" },
    ]);
    expect((await update({ headers }, "By a key")).status).toBe(409);
    expect((await update(other, "By another stack")).body.detail).toContain("Two stacks cannot own it");
    expect((await rest("DELETE", `${path}/${id}${query}`, { cookie })).status).toBe(409);
    expect((await rest("DELETE", `${path}/${id}${query}`, other)).status).toBe(409);

    const moved = { headers: { ...shop.headers, "plumbline-path": "moved.yaml" } };
    expect((await update(moved, "By the stack")).status).toBe(200);
    expect(await thingOf(kind, id)).toMatchObject({ path: "moved.yaml", revision: 2, changedSince: [] });
    expect((await rest("DELETE", `${path}/${id}${query}`, shop)).status).toBe(204);
    expect(await thingOf(kind, id)).toBeUndefined();
  });

  test("can be edited again once an Admin has taken it over, until it is applied again", async () => {
    const json = { kind, id };
    const editor = await cookieOf(await aUser("Editor"));
    expect((await rest("POST", "/stacks/take-over", { cookie: editor, json })).status).toBe(403);
    const ada = await aUser("Admin");
    expect((await rest("POST", "/stacks/take-over", { cookie: await cookieOf(ada), json })).status).toBe(204);
    const { takenOver } = await thingOf(kind, id);
    expect(takenOver).toMatchObject({ by: ada.name });

    expect((await update({ cookie }, "By hand")).status).toBe(200);
    const { changedSince } = await thingOf(kind, id);
    // Of rule templates, no edits are kept.
    expect(changedSince.map((edit: { changes: { path: string }[] }) => edit.changes[0]?.path)).toEqual(
      kind === "RuleTemplate" ? [] : ["name"],
    );
    // Another stack may have it now.
    expect((await update(other, "By another stack")).status).toBe(200);
    expect(await thingOf(kind, id)).toMatchObject({ stack: "acme/other", takenOver: null, changedSince: [] });
    expect((await update({ cookie }, "By hand again")).status).toBe(409);
  });
});

test("work on an AI actor goes on: it is paused and resumed", async () => {
  const { id } = (await rest("POST", "/ai-actors", { ...shop, json: kinds[9]?.body() })).body;
  expect((await rest("POST", `/ai-actors/${id}/resume`, { cookie })).status).toBe(200);
  expect((await rest("POST", `/ai-actors/${id}/pause`, { cookie })).status).toBe(200);
});

describe("the tags of a table", () => {
  const table = { schemaName: "public", tableName: "projects" };
  const put = (caller: object, tags: string[], more: object = {}) =>
    rest("PUT", `/data-sources/${dataSourceId}/tags`, { ...caller, json: { ...table, tags, ...more } });

  test("belong to the stack that set them, until an Admin takes them over or they are gone", async () => {
    const { status, body } = await put(shop, ["pii"]);
    expect([status, body]).toEqual([200, { ...table, id: body.id, tags: ["pii"], revision: 1 }]);
    expect(await thingOf("TableTags", body.id)).toMatchObject({ stack: "acme/shop", projectId, revision: 1 });
    for (const tags of [["public"], []]) {
      const refused = await put({ cookie }, tags);
      expect([refused.status, refused.body.detail]).toEqual([
        409,
        expect.stringContaining("This tag list is managed as code, by the stack acme/shop"),
      ]);
    }
    expect((await put(other, ["public"])).status).toBe(409);
    await rest("POST", "/stacks/take-over", { cookie, json: { kind: "TableTags", id: body.id } });
    expect((await put({ cookie }, ["pii", "by hand"])).body).toMatchObject({ id: body.id, revision: 2 });
    const { changedSince } = await thingOf("TableTags", body.id);
    expect(changedSince).toMatchObject([{ revision: 2, changes: [{ path: "tags" }] }]);
    expect((await put(shop, ["pii"], { baseRevision: 1 })).body.detail).toMatch(
      /changed tags at .* The tag list is at revision 2, but this edit is based on 1\./,
    );
    expect((await put(shop, ["pii"], { baseRevision: 2 })).body.revision).toBe(3);
    expect((await put(shop, [])).body).toEqual({ ...table, id: null, tags: [], revision: null });
    expect(await thingOf("TableTags", body.id)).toBeUndefined();
  });

  test("are set by files before there is such a table, and forgotten with their data source", async () => {
    const source = await aDataSource({ projectId, name: "Later" });
    const json = { schemaName: "sales", tableName: "to_come", tags: ["pii"] };
    expect((await rest("PUT", `/data-sources/${source.id}/tags`, { cookie, json })).status).toBe(404);
    const { body } = await rest("PUT", `/data-sources/${source.id}/tags`, { ...shop, json });
    expect((await rest("DELETE", `/data-sources/${source.id}`, { cookie })).status).toBe(204);
    expect(await thingOf("TableTags", body.id)).toBeUndefined();
  });
});

describe("a service account", () => {
  const make = async (json: object) => (await rest("POST", "/service-accounts", { ...shop, json })).body;

  test("of no project: seen and taken over by Admins of all, and given up by its stack", async () => {
    const { id } = await make({ name: "Loader", role: "Editor" });
    expect(await thingOf("ServiceAccount", id)).toMatchObject({ projectId: null, stack: "acme/shop" });
    const local = { cookie: await cookieOf(await aMember({ projectId, role: "Admin" })) };
    const editor = { cookie: await cookieOf(await aUser("Editor")) };
    const json = { kind: "ServiceAccount", id };
    for (const caller of [local, editor]) {
      const seen = await rest("GET", "/stacks/things?kind=ServiceAccount", caller);
      expect(seen.body.items).toEqual([]);
      expect((await rest("POST", "/stacks/take-over", { ...caller, json })).status).not.toBe(204);
    }
    const renamed = { name: "Renamed", role: "Editor" };
    const refused = await rest("PUT", `/service-accounts/${id}`, { cookie, json: renamed });
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining("This service account is managed as code"),
    ]);
    expect((await rest("POST", "/stacks/take-over", { ...shop, json })).status).toBe(204);
    expect(await thingOf("ServiceAccount", id)).toBeUndefined();
    expect((await rest("PUT", `/service-accounts/${id}`, { cookie, json: renamed })).status).toBe(200);
  });

  test("is made no member of a project by anyone else, and can be disabled at once", async () => {
    const access = { projectRoles: [{ projectId, role: "Viewer" }] };
    const { id } = await make({ name: "Reporter", ...access });
    const of = `/projects/${projectId}/members/${id}`;
    expect((await rest("PUT", of, { cookie, json: { role: "Editor" } })).status).toBe(409);
    expect((await rest("DELETE", of, { cookie })).status).toBe(409);
    const [before] = (await rest("GET", "/service-accounts", { cookie })).body.items.filter(
      (each: { id: number }) => each.id === id,
    );
    expect(before.projectRoles).toEqual(access.projectRoles);
    const json = { name: "Reporter", ...access, enabled: false };
    expect((await rest("PUT", `/service-accounts/${id}`, { cookie, json })).status).toBe(200);
    expect(await thingOf("ServiceAccount", id)).toMatchObject({
      takenOver: { by: expect.stringContaining("Admin") },
      changedSince: [{ changes: [{ path: "enabled" }] }],
    });
  });
});

test("two stacks that claim the same thing at once: one gets it", async () => {
  const { id } = await aContract({ dataSourceId, tableName: "projects" });
  const json = { ...(kinds[5]?.body() ?? {}), name: "Raced" };
  const answers = await Promise.all(
    [shop, other].map((stack) => rest("PUT", `/data-quality/contracts/${id}`, { ...stack, json })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

describe("many at once, and what others would change", () => {
  test("a subscription is not turned off, told to others, or archived with its query", async () => {
    const made = await aQuery({ projectId, dataSource: { id: dataSourceId, projectId } });
    const json = { queryId: made.id, cronExpression: "0 6 * * *" };
    const { id } = (await rest("POST", "/subscriptions", { ...shop, json })).body;
    for (const [path, more] of [
      ["enable", { enabled: false }],
      ["add-recipient", { recipientId }],
      ["archive", {}],
    ] as const) {
      const { body } = await rest("POST", `/bulk/subscriptions/${path}`, {
        cookie,
        json: { ids: [id], ...more },
      });
      expect([path, body.failed, body.items[0].problem]).toEqual([
        path,
        1,
        expect.stringContaining("acme/shop"),
      ]);
    }
    const archived = await rest("DELETE", `/queries/${made.id}?cascade=true`, { cookie });
    expect([archived.status, archived.body.detail]).toEqual([
      409,
      expect.stringContaining("This subscription is managed as code"),
    ]);
    // Silence is for the night, not for the file.
    const silence = { until: "2999-01-01T00:00:00Z" };
    expect((await rest("POST", `/subscriptions/${id}/silence`, { cookie, json: silence })).status).toBe(200);
    expect((await rest("DELETE", `/queries/${made.id}?cascade=true`, shop)).status).toBe(204);
    expect(await thingOf("Subscription", id)).toBeUndefined();
  });

  test("a query is not moved, and gets no old version back", async () => {
    const json = { projectId, name: "Own", steps: [{ dataSourceId, sql: "select 1" }] };
    const { id } = (await rest("POST", "/queries", { ...shop, json })).body;
    const moved = await rest("POST", "/bulk/queries/move", { cookie, json: { ids: [id] } });
    expect(moved.body.failed).toBe(1);
    expect((await rest("POST", `/queries/${id}/versions/1/restore`, { cookie, json: {} })).status).toBe(409);
  });
});

test("a contract can be silenced, and given an owner, by people", async () => {
  const { id } = (await rest("POST", "/data-quality/contracts", { ...shop, json: kinds[5]?.body() })).body;
  const of = `/data-quality/contracts/${id}`;
  const silence = { until: "2999-01-01T00:00:00Z" };
  expect((await rest("POST", `${of}/silence`, { cookie, json: silence })).status).toBe(200);
  expect((await rest("POST", `${of}/assign`, { cookie, json: {} })).status).toBe(200);
});

test.each<[string, Record<string, string>, string]>([
  ["no path", { "plumbline-stack": "acme/shop" }, "plumbline-path"],
  ["no stack", { "plumbline-path": "a.yaml" }, "plumbline-stack"],
  ["spaces", { "plumbline-stack": "acme shop", "plumbline-path": "a.yaml" }, "plumbline-stack"],
  ["what is no encoding", { "plumbline-stack": "acme", "plumbline-path": "%zz" }, "plumbline-path"],
  ["NUL", { "plumbline-stack": "acme", "plumbline-path": "a%00" }, "plumbline-path"],
])("headers with %s are refused", async (_, more, path) => {
  const { status, body } = await rest("POST", "/projects", {
    headers: { ...headers, ...more },
    json: { name: "Never" },
  });
  expect([status, body.errors[0].path]).toEqual([400, path]);
});

test("nobody acts for a stack with a session", async () => {
  const answer = await rest("POST", "/projects", {
    ...{ cookie, json: { name: "Never" } },
    headers: shop.headers,
  });
  expect([answer.status, answer.body.detail]).toEqual([
    400,
    "The header plumbline-stack is only for API keys and JWTs",
  ]);
});

test("what is in other projects is not listed, and cannot be taken over", async () => {
  const json = { projectId, name: "Hidden", type: "Email", destination: "own@example.com" };
  const { id } = (await rest("POST", "/recipients", { ...shop, json })).body;
  const elsewhere = (await aProject()).id;
  const limited = await cookieOf(await aMember({ projectId: elsewhere, role: "Admin" }));
  expect((await rest("GET", "/stacks/things", { cookie: limited })).body.items).toEqual([]);
  const take = { kind: "Recipient", id };
  expect((await rest("POST", "/stacks/take-over", { cookie: limited, json: take })).status).toBe(404);
  // An Admin of one project, who is only an Editor of that one.
  const both = await aMember({ projectId: elsewhere, role: "Admin" }, { projectId, role: "Editor" });
  const call = { cookie: await cookieOf(both), json: take };
  expect((await rest("POST", "/stacks/take-over", call)).status).toBe(403);
  expect(
    (await db.select().from(managedThings)).some(
      ({ takenOverAt, objectId }) => objectId === id && takenOverAt,
    ),
  ).toBe(false);
});
