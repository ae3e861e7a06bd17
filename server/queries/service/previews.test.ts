import { desc, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditEntries } from "../../audit/tables.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db } from "../../db/client.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";
import { previewQuery } from "./previews.ts";

let editor: string;
let dataSourceId: number;

beforeAll(async () => {
  editor = await aSession("Editor");
  dataSourceId = (await aDataSource()).id;
  await db.execute(sql`create table fares (id int primary key, note text)`);
  await db.execute(sql`insert into fares values (1, 'kept')`);
});
afterAll(closeSources);

const preview = (text: string, parameters?: object, more: object = {}) =>
  rest("POST", "/queries/preview", {
    cookie: editor,
    json: { dataSourceId, sql: text, ...(parameters && { parameters }), ...more },
  });

const fares = async () => [...(await db.execute(sql`select id, note from fares order by id`))];
const lastEntry = async () =>
  (await db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1))[0];

test("returns columns with types and rows, exactly", async () => {
  const { status, body } = await preview(
    `select 9007199254740993::bigint as big, 0.10000000000000000001::numeric as exact, 1 as small, true as yes,
       null as nothing, timestamptz '2026-07-01 12:00+02' as moment, 1 as twice, 2 as twice`,
  );
  expect(status).toBe(200);
  expect(body).toEqual({
    columns: [
      { name: "big", type: "bigint" },
      { name: "exact", type: "numeric" },
      { name: "small", type: "integer" },
      { name: "yes", type: "boolean" },
      { name: "nothing", type: "text" },
      { name: "moment", type: "timestamp with time zone" },
      { name: "twice", type: "integer" },
      { name: "twice", type: "integer" },
    ],
    rows: [
      [
        "9007199254740993",
        "0.10000000000000000001",
        1,
        true,
        null,
        expect.stringMatching(/^2026-07-01.10:00/),
        1,
        2,
      ],
    ],
    rowCount: 1,
    truncated: false,
    executionTimeMs: expect.any(Number),
  });
});

test("an empty result keeps its columns", async () => {
  expect((await preview("select id from fares where false")).body).toMatchObject({
    columns: [{ name: "id", type: "integer" }],
    rows: [],
    rowCount: 0,
    truncated: false,
  });
});

test("rows and bytes are limited, and the result says that there were more", async () => {
  const { body } = await preview("select n from generate_series(1, 10000000) n");
  expect(body).toMatchObject({ rowCount: 1000, truncated: true });
  expect(body.rows[999]).toEqual([1000]);
  expect((await preview("select n from generate_series(1, 1000) n")).body.truncated).toBe(false);
  const wide = await preview("select repeat('x', 1000000) from generate_series(1, 100)");
  expect(wide.body).toMatchObject({ truncated: true });
  expect(wide.body.rowCount).toBeLessThan(5);
});

describe("an error says where it is in the text as written", () => {
  test.each([
    ["select 1 as 😀, {{a}}::int as a,\n  nope from fares", { line: 2, column: 3 }],
    ["select {{a}}::int,\n{{ a }}::int, nope from fares", { line: 2, column: 15 }],
    ["select * from fares\nwhere\n id in ({{a}}::int", { line: 3, column: 19 }],
  ])("%s", async (text, position) => {
    const { status, body } = await preview(text, { a: 1 });
    expect(status).toBe(422);
    expect(body.position).toEqual(position);
  });

  test("with the step, if there are several", async () => {
    const { body } = await rest("POST", "/queries/preview", {
      cookie: editor,
      json: {
        steps: [
          { dataSourceId, sql: "select 1 as one" },
          { dataSourceId, sql: "select id,\n two from fares" },
        ],
      },
    });
    expect(body.position).toEqual({ line: 2, column: 2, step: 2 });
  });

  test("also in a step over earlier results, by its line", async () => {
    const { body } = await rest("POST", "/queries/preview", {
      cookie: editor,
      json: {
        steps: [{ dataSourceId, sql: "select 1 as one" }, { sql: "select one,\n two\nfrom @@result1" }],
      },
    });
    expect(body.position).toEqual({ line: 2, column: null, step: 2 });
  });

  test("unless the server does not tell", async () => {
    const { body } = await preview("select 1 / 0");
    expect(body.detail).toContain("division by zero");
    expect(body).not.toHaveProperty("position");
  });
});

describe("parameters", () => {
  test("are bound, whatever they contain", async () => {
    const hostile = "kept'; delete from fares; --";
    const { body } = await preview(
      "select {{a}}::text, {{b}}::numeric + 1, {{c}}::bool, {{d}}::int, (select count(*) from fares where note = {{a}})",
      { a: hostile, b: "0.1", c: true, d: null },
    );
    expect(body.rows).toEqual([[hostile, "1.1", true, null, "0"]]);
    expect(await fares()).toEqual([{ id: 1, note: "kept" }]);
    expect((await preview("select note from fares where id = {{id}}", { id: 1 })).body.rows).toEqual([
      ["kept"],
    ]);
  });

  test.each([
    ["select {{a}}", {}, "parameters.a"],
    ["select 1", { a: 1 }, "parameters.a"],
    ["select '{{a}}'", { a: 1 }, "sql"],
    ["select {{a", {}, "sql"],
    ["  ", {}, "sql"],
    ["select {{a}}", { a: [1] }, "parameters.a"],
    ["select 1", JSON.parse('{"__proto__": 1}'), "parameters.__proto__"],
  ])("%s with %j is rejected with its path", async (text, parameters, path) => {
    const { status, body } = await preview(text, parameters);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ path })]);
  });
});

test.each([
  ["select 1; delete from fares", "Only one statement is allowed"],
  ["commit; delete from fares", "Only read statements are allowed: SELECT, WITH, VALUES, or TABLE"],
  ["delete from fares", "Only read statements are allowed: SELECT, WITH, VALUES, or TABLE"],
  [
    "with gone as (delete from fares returning id) select * from gone",
    "cannot execute SELECT in a read-only transaction",
  ],
  ["select * into taken from fares", "cannot execute SELECT INTO in a read-only transaction"],
  ["select nothing from fares", 'column "nothing" does not exist'],
  ["select $1", expect.any(String)],
])("%s is rejected with the reason, changes nothing, and is audited", async (text, detail) => {
  const { status, body } = await preview(text);
  expect([status, body.detail]).toEqual([422, detail]);
  expect(await fares()).toEqual([{ id: 1, note: "kept" }]);
  expect(await lastEntry()).toMatchObject({
    action: "queries.preview",
    objectKind: "dataSource",
    objectId: dataSourceId,
    detail: expect.stringMatching(/^Against a rule; SQL of \d+ characters, SHA-256 [0-9a-f]{16}…$/),
  });
});

test("a statement over the time limit is cancelled on the server", async () => {
  const limits = { timeoutMs: 300, maxRows: 10, maxBytes: 10_000 };
  const text = "select pg_sleep(29) as overslept";
  const run = previewQuery(await asEditor(), { dataSourceId, sql: text, parameters: {} }, limits);
  await expect(run).rejects.toMatchObject({
    code: "source_timeout",
    detail: "The statement took longer than 0.3 s and was cancelled",
  });
  const running = sql`select 1 from pg_stat_activity
    where state = 'active' and query like '%overslept%' and pid <> pg_backend_pid()`;
  expect(await db.execute(running)).toHaveLength(0);
});

test("an unreachable data source is a 502 that does not name the host, and is audited", async () => {
  const lost = await aDataSource({ connection: { host: "127.0.0.1", port: 1 } });
  const { status, body } = await preview("select 1", undefined, { dataSourceId: lost.id });
  expect(status).toBe(502);
  expect(JSON.stringify(body)).not.toContain("127.0.0.1");
  expect(await lastEntry()).toMatchObject({
    action: "queries.preview",
    objectId: lost.id,
    detail: expect.stringMatching(/^Data source did not answer/),
  });
});

test("a preview is audited with its data source and the hash of its text, without the text", async () => {
  await preview("select 'Anna Example' as name");
  expect(await lastEntry()).toMatchObject({
    action: "queries.preview",
    objectKind: "dataSource",
    objectId: dataSourceId,
    // printf %s "select 'Anna Example' as name" | sha256sum
    detail: "1 row; SQL of 29 characters, SHA-256 bab65675d318e534…",
  });
});

test("requires the Execute scope and the Editor role", async () => {
  const json = { dataSourceId, sql: "select 1 as one" };
  const statusOf = async (call: object) => (await rest("POST", "/queries/preview", { json, ...call })).status;
  expect(await statusOf({})).toBe(401);
  expect(await statusOf({ cookie: await aSession("Viewer") })).toBe(403);
  expect(await statusOf({ headers: (await aKey({ scopes: ["Read"] })).headers })).toBe(403);
  expect(await statusOf({ headers: (await aKey({ scopes: ["Execute"] })).headers })).toBe(200);
});

test("a data source that the caller cannot access is not found, like one that does not exist", async () => {
  const { id } = await aProject();
  const { headers } = await aKey({ scopes: ["Execute"], allowedProjectIds: [id] });
  const json = { dataSourceId, sql: "select 1" };
  const hidden = await rest("POST", "/queries/preview", { headers, json });
  const absent = await rest("POST", "/queries/preview", {
    headers,
    json: { ...json, dataSourceId: 2_000_000_000 },
  });
  expect([hidden.status, hidden.body.detail]).toEqual([404, "Data source not found"]);
  expect([absent.status, absent.body.detail]).toEqual([404, "Data source not found"]);
  await expect(
    previewQuery(await asAdmin({ projectIds: [] }), { dataSourceId, sql: "select 1", parameters: {} }),
  ).rejects.toMatchObject({ code: "not_found" });
});
