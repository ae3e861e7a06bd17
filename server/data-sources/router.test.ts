import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../db/client.ts";
import { aDataSource, aProject, ownConnection } from "../test/factories/data-sources.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { closeSources } from "./service/connected-sources.ts";

let admin: string;
let editor: string;
let viewer: string;

beforeAll(async () => {
  [admin, editor, viewer] = await Promise.all([aSession("Admin"), aSession("Editor"), aSession("Viewer")]);
});
afterAll(closeSources);

test("a data source is created, read, changed, and deleted, and its password is in no response", async () => {
  const project = await aProject();
  // A server with trust authentication accepts any password.
  const connection = { ...ownConnection(), password: ownConnection().password || "not to be told" };
  const json = { projectId: project.id, name: "Shop", kind: "PostgreSql", connection };
  const created = await rest("POST", "/data-sources", { cookie: admin, json });
  expect(created.status).toBe(201);
  expect(created.headers.get("location")).toBe(`/svc/api/data-sources/${created.body.id}`);
  const { password: _, ...shown } = connection;
  expect(created.body).toEqual({
    id: expect.any(Number),
    projectId: project.id,
    name: "Shop",
    kind: "PostgreSql",
    connection: shown,
    hasPassword: true,
    secretReferences: [],
    canWrite: true,
    allowedFunctions: [],
    revision: 1,
    scanSchedule: null,
    dailyBudget: null,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  });

  const path = `/data-sources/${created.body.id}`;
  const read = await rest("GET", path, { cookie: viewer });
  expect(read.body).toEqual(created.body);
  const list = await rest("GET", `/data-sources?projectId=${project.id}`, { cookie: viewer });
  expect(list.body).toEqual({ items: [created.body] });

  const moved = { name: "Shop", connection: { ...shown, host: "localhost" } };
  const refused = await rest("PUT", path, { cookie: admin, json: moved });
  expect(refused.status).toBe(400);
  expect(refused.body.errors).toEqual([
    { path: "connection.password", message: "is required when host, port, or user changes" },
  ]);
  const renamed = await rest("PUT", path, { cookie: admin, json: { name: "Store", connection: shown } });
  expect(renamed.body).toMatchObject({ name: "Store", hasPassword: true });

  const schema = await rest("POST", `${path}/refresh-schema`, { cookie: admin });
  expect(schema.status).toBe(200);
  expect(schema.body.items.map((each: { schemaName: string }) => each.schemaName)).toContain("public");
  expect((await rest("GET", `${path}/schema`, { cookie: viewer })).body).toEqual(schema.body);

  expect((await rest("DELETE", path, { cookie: admin })).status).toBe(204);
  expect((await rest("GET", path, { cookie: viewer })).status).toBe(404);
});

test("a failed connection is a result, not an error; a schema that cannot be read is a 502", async () => {
  const nowhere = { ...ownConnection(), host: "127.0.0.1", port: 1 };
  const tested = await rest("POST", "/data-sources/test-connection", {
    cookie: admin,
    json: { kind: "PostgreSql", connection: nowhere },
  });
  expect(tested.status).toBe(200);
  expect(tested.body).toEqual({
    ok: false,
    message: "Connection refused: nothing is listening on this host and port",
  });
  const { id } = await aDataSource({ connection: nowhere });
  const schema = await rest("GET", `/data-sources/${id}/schema`, { cookie: viewer });
  expect(schema.status).toBe(502);
  expect(JSON.stringify(schema.body)).not.toContain("127.0.0.1");
});

test("only an Admin manages data sources", async () => {
  const { id } = await aDataSource();
  for (const cookie of [viewer, editor])
    for (const [method, path] of [
      ["POST", "/data-sources"],
      ["POST", "/data-sources/test-connection"],
      ["PUT", `/data-sources/${id}`],
      ["DELETE", `/data-sources/${id}`],
      ["POST", `/data-sources/${id}/refresh-schema`],
    ] as const)
      expect((await rest(method, path, { cookie, json: {} })).status, `${method} ${path}`).toBe(403);
});

test.each([
  [{ kind: "Oracle" }, "kind"],
  [{ color: "red" }, "color"],
  [{ connection: { ...ownConnection(), port: 0 } }, "connection.port"],
  [{ connection: { ...ownConnection(), host: " " } }, "connection.host"],
  [{ connection: { ...ownConnection(), password: "a\u0000b" } }, "connection.password"],
  [{ connection: { ...ownConnection(), options: "-c search_path=x" } }, "connection.options"],
])("%j is refused by its path", async (change, path) => {
  const json = { projectId: 1, name: "Shop", kind: "PostgreSql", connection: ownConnection(), ...change };
  const { status, body } = await rest("POST", "/data-sources", { cookie: admin, json });
  expect(status).toBe(400);
  expect(body.errors).toEqual([expect.objectContaining({ path })]);
});

test("an Admin allows functions by name; omitting them keeps them, and the audit log shows them", async () => {
  await sql.unsafe(
    `create schema shop; create function shop.tax(numeric) returns numeric immutable language sql as 'select $1 * 0.19'`,
  );
  const source = await aDataSource();
  const path = `/data-sources/${source.id}`;
  const preview = async () => {
    const json = { dataSourceId: source.id, sql: "select shop.tax(100)", parameters: {} };
    const { status, body } = await rest("POST", "/queries/preview", { cookie: editor, json });
    return [status, body.detail ?? body.rows];
  };
  const refused = [422, "The function shop.tax is not allowed: an Admin can allow it on the data source"];
  expect(await preview()).toEqual(refused);
  const put = (more: object) =>
    rest("PUT", path, { cookie: admin, json: { name: "Shop", connection: ownConnection(), ...more } });
  const { body } = await put({ allowedFunctions: [" Shop.Tax", "shop.tax", "round_up"] });
  expect(body.allowedFunctions).toEqual(["shop.tax", "round_up"]);
  const [entry] =
    await sql`select detail from audit_log where action = 'dataSources.update' order by id desc limit 1`;
  expect(entry?.detail).toBe("Shop; allowed functions: shop.tax, round_up");
  expect(await preview()).toEqual([200, [["19.00"]]]);
  expect((await put({})).body.allowedFunctions).toEqual(["shop.tax", "round_up"]);
  expect((await put({ allowedFunctions: [] })).body.allowedFunctions).toEqual([]);
  expect(await preview()).toEqual(refused);

  for (const allowedFunctions of [
    ["shop.tax()"],
    ["a.b.c"],
    [""],
    ['"tax"'],
    "tax",
    [1],
    Array(201).fill("a"),
    null,
  ])
    expect((await put({ allowedFunctions })).status, JSON.stringify(allowedFunctions)).toBe(400);
});
