import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { aProject } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { asAdmin, mysqlConnection } from "../../test/mysql.ts";
import { rest } from "../../test/rest-client.ts";
import { previewQuery } from "./previews.ts";

let cookie: string;
let dataSourceId: number;

beforeAll(async () => {
  cookie = await aSession("Editor");
  const { password, ...connection } = mysqlConnection;
  const [row] = await db
    .insert(dataSources)
    .values({ projectId: (await aProject()).id, name: "Shop", kind: "MySql", connection })
    .returning();
  if (!row) throw new Error("The insert returned no data source");
  dataSourceId = row.id;
  if (password) await db.update(dataSources).set({ secret: encrypt(password, `data-source:${row.id}`) });
  await asAdmin("create table fares (id int primary key, note text)");
  await asAdmin("insert into fares values (1, 'kept')");
});
afterAll(closeSources);

const preview = (sql: string, parameters: object = {}) =>
  rest("POST", "/queries/preview", { cookie, json: { dataSourceId, sql, parameters } });
const fares = () => asAdmin("select id, note from fares order by id");

test("returns columns and rows exactly, duplicate names included", async () => {
  const { status, body } = await preview(
    "select cast(9007199254740993 as signed) as big, cast('0.1000000000000000000001' as decimal(30, 22)) as exact, 1 as twice, 2 as twice",
  );
  expect(status).toBe(200);
  expect(body.columns.map(({ name }: { name: string }) => name)).toEqual(["big", "exact", "twice", "twice"]);
  expect(body.rows[0].slice(0, 2)).toEqual(["9007199254740993", "0.1000000000000000000001"]);
  expect(body.rows[0].slice(2).map(Number)).toEqual([1, 2]);
});

test.each([
  ["select {{a}} as a,\n  id form fares\nwhere id = 1", { line: 2, column: 11 }],
  ["select {{a}} as a\n from fares where (", { line: 2, column: null }],
  ["select {{a}} as nope_it,\n f.nope from fares f", { line: 2, column: 4 }],
  ["select {{a}} as a\nfrom no_such_fares", { line: 2, column: 6 }],
])("an error says where it is in the text as written: %s", async (text, position) => {
  const { status, body } = await preview(text, { a: 1 });
  expect(status).toBe(422);
  expect(body.position).toEqual(position);
});

test("rows are limited", async () => {
  const { body } = await preview(
    "with recursive n(n) as (select 1 union all select n + 1 from n where n < 1001) select n from n",
  );
  expect(body).toMatchObject({ rowCount: 1000, truncated: true });
});

test("parameters are bound, whatever they contain", async () => {
  const hostile = "\\'; delete from fares; -- \" ` ?";
  const { status, body } = await preview(
    "select {{a}} as said, (select count(*) from fares where note = {{a}}) as found, note from fares where id = {{id}}",
    { a: hostile, id: 1 },
  );
  expect(status).toBe(200);
  expect(body.rows.map((row: unknown[]) => row.map(String))).toEqual([[hostile, "0", "kept"]]);
  expect(await fares()).toEqual([[1, "kept"]]);
});

test.each([
  "select 1; delete from fares",
  "delete from fares",
  "select 1 into outfile '/tmp/taken'",
  "select /*! 1; */ 2",
  "select nothing from fares",
  "select ?",
])("%s is rejected and changes nothing", async (sql) => {
  const { status, body } = await preview(sql);
  expect([status, body.title]).toEqual([422, "Against a rule"]);
  expect(await fares()).toEqual([[1, "kept"]]);
});

test("a statement over the time limit is cancelled on the server", async () => {
  const limits = { timeoutMs: 500, maxRows: 10, maxBytes: 10_000 };
  // MySQL and MariaDB end a bare SLEEP early without an error; joins they abort.
  const sql = `with recursive n(n) as (select 1 union all select n + 1 from n where n < 900)
    select count(*) as overslept from n a, n b, n c, n d where a.n + b.n + c.n + d.n < 0`;
  const run = previewQuery(await asEditor(), { dataSourceId, sql, parameters: {} }, limits);
  await expect(run).rejects.toMatchObject({ code: "source_timeout" });
  const running = await asAdmin("select info from information_schema.processlist where command <> 'Sleep'");
  expect(JSON.stringify(running)).not.toContain("overslept");
});

test("explains a statement as operations on its tables, without running it", async () => {
  const explain = (sql: string) =>
    rest("POST", "/queries/explain", { cookie, json: { dataSourceId, sql, parameters: {} } });
  const { status, body } = await explain("select f.note, count(*) from fares f group by f.note order by 2");
  expect(status).toBe(200);
  const tables = body.lines.filter(({ operation }: { operation: string }) => operation === "Table");
  expect(tables).toMatchObject([{ detail: expect.stringMatching(/^f, /), rows: 1 }]);
  expect(body.lines[0]).toMatchObject({ depth: 0, operation: "Select" });
  expect((await explain("with gone as (select 1) delete from fares")).status).toBe(422);
  expect(await fares()).toEqual([[1, "kept"]]);
});
