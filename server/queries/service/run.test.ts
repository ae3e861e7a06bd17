import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db, sql } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { env } from "../../env.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { asAdmin as asMysqlAdmin, mysqlConnection } from "../../test/mysql.ts";
import type { Step, StepWrite } from "../schema.ts";
import { archiveQuery } from "./archive.ts";
import { getRunnableQuery, type Parameters, runSteps } from "./run.ts";
import { updateQuery } from "./save-query.ts";
import { findActiveVersionNumber } from "./versions.ts";

/** A warehouse, a shop, and an API in one project. */
let projectId: number;
let warehouse: number;
let shop: number;
let api: number;
let server: Server;
let asked: string[] = [];

beforeAll(async () => {
  projectId = (await aProject()).id;
  warehouse = (await aDataSource({ projectId })).id;
  await sql.unsafe(`
    create table orders (id int, customer int, total numeric(20, 2));
    insert into orders values (1, 10, 12345678901234567.89), (2, 20, 5), (3, 10, 7.5), (4, 30, 0);
  `);
  shop = (await aDataSource({ projectId, kind: "MySql", connection: mysqlConnection })).id;
  await asMysqlAdmin("create table customers (id int primary key, name varchar(50))");
  await asMysqlAdmin("insert into customers values (10, 'Ada'), (20, 'Bo'), (30, 'Cy')");
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response
      .writeHead(200, { "content-type": "application/json" })
      .end('{"data": [{"customer": 10, "region": "North"}, {"customer": 20, "region": "South"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  env().OUTBOUND_ALLOW = "127.0.0.1";
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = (await aDataSource({ projectId })).id;
  await db
    .update(dataSources)
    .set({
      kind: "RestApi",
      connection: { baseUrl, headers: {} },
      secret: encrypt("{}", `data-source:${api}`),
    })
    .where(eq(dataSources.id, api));
});
afterAll(async () => {
  await closeSources();
  server.close();
});

const limits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1024 * 1024 };
const numbered = (written: StepWrite[]): Step[] =>
  written.map(({ dataSourceId = null, sql, request }, index) => ({
    order: index + 1,
    name: `Step ${index + 1}`,
    dataSourceId,
    ...(sql && { sql }),
    ...(request && { request }),
  }));
const run = (written: StepWrite[], parameters: Parameters = {}, more: object = {}) =>
  runSteps(numbered(written), parameters, { ...limits, ...more });

test("a query over two databases and an API is joined exactly, each step with its own parameters", async () => {
  const query = await aQuery({
    projectId,
    steps: [
      {
        dataSourceId: warehouse,
        sql: "select customer, total from orders where total >= {{least}}::numeric",
      },
      { dataSourceId: shop, sql: "select id, name from customers where name <> {{without}}" },
      {
        dataSourceId: api,
        request: {
          method: "GET",
          path: "/regions/{{area}}",
          query: { least: "{{least}}" },
          rowsPath: "data",
        },
      },
      {
        sql: `select name, region, sum(total) as total, {{area}} as area
          from @@result1 o join @@result2 c on c.id = o.customer left join @@result3 r on r.customer = c.id
          group by name, region order by name`,
      },
    ],
  });
  const runnable = await getRunnableQuery(query.id);
  expect(runnable).toEqual({ id: query.id, name: "Orders", projectId, versionNumber: 1, steps: query.steps });
  asked = [];
  const result = await runSteps(
    runnable?.steps ?? [],
    { least: "0.5", without: "Bo'; --", area: "eu" },
    limits,
  );
  expect(result.columns.map(({ name }) => name)).toEqual(["name", "region", "total", "area"]);
  // 12345678901234567.89 + 7.5, which no float can represent; Cy's order is below the minimum.
  expect(result.rows).toEqual([
    ["Ada", "North", "12345678901234575.39", "eu"],
    ["Bo", "South", "5.00", "eu"],
  ]);
  expect(result).toMatchObject({ rowCount: 2, truncated: false, executionTimeMs: expect.any(Number) });
  expect(asked).toEqual(["/regions/eu?least=0.5"]);
});

describe("parameters", () => {
  test("that are missing or unknown are rejected by name before anything runs", async () => {
    asked = [];
    const steps: StepWrite[] = [
      { dataSourceId: api, request: { method: "GET", path: "/{{a}}", rowsPath: "data" } },
      { dataSourceId: warehouse, sql: "select {{b}}::int, {{a}}::text" },
    ];
    await expect(run(steps, { a: 1, c: 2, toString: 3 })).rejects.toMatchObject({
      code: "invalid",
      more: {
        errors: [
          { path: "parameters.b", message: "is required by the query" },
          { path: "parameters.c", message: "is not in the query" },
          { path: "parameters.toString", message: "is not in the query" },
        ],
      },
    });
    expect(asked).toEqual([]);
    expect((await run(steps, { a: "x", b: 1 })).rows).toEqual([[1, "x"]]);
  });

  test("are also bound in the store between the steps", async () => {
    const hostile = "x'); drop table result1; --";
    const { rows } = await run(
      [{ dataSourceId: warehouse, sql: "select 1 as n" }, { sql: "select {{a}}, n from @@result1" }],
      { a: hostile },
    );
    expect(rows.map((row) => row.map(String))).toEqual([[hostile, "1"]]);
  });
});

describe("a result that a later step reads", () => {
  const many = (rows: number): StepWrite => ({
    dataSourceId: warehouse,
    sql: `select n from generate_series(1, ${rows}) n`,
  });

  test("is complete, or the run fails and says so", async () => {
    const counted = { sql: "select count(*) as n from @@result1" };
    expect((await run([many(100_000), counted])).rows).toEqual([["100000"]]);
    await expect(run([many(100_001), counted])).rejects.toMatchObject({
      code: "rejected",
      detail:
        "Step 1: the result is larger than 100,000 rows or 32 MB, so a later step cannot read all of it",
    });
    const wide = {
      dataSourceId: warehouse,
      sql: "select repeat('x', 1000000) as x from generate_series(1, 40)",
    };
    await expect(run([wide, counted])).rejects.toMatchObject({ code: "rejected" });
  }, 180_000);

  test("may be truncated if nothing reads it, and a check that fails still fails the run", async () => {
    expect((await run([many(100_001), { dataSourceId: warehouse, sql: "select 1 as one" }])).rows).toEqual([
      [1],
    ]);
    await expect(
      run([
        { dataSourceId: warehouse, sql: "select 1 / (id - 1) from orders" },
        { dataSourceId: warehouse, sql: "select 1" },
      ]),
    ).rejects.toMatchObject({ kind: "statement", message: "Step 1: division by zero" });
  });

  test("passes through several steps", async () => {
    const { rows } = await run([
      { dataSourceId: warehouse, sql: "select id from orders" },
      { sql: "select id + 1 as id from @@result1" },
      { dataSourceId: shop, sql: "select 3 as id" },
      { sql: "select b.id from @@result2 b join @@result3 using (id) join @@result1 using (id)" },
    ]);
    expect(rows.map((row) => row.map(String))).toEqual([["3"]]);
  });
});

describe("limits", () => {
  test("apply to the last step, whose rows are counted if the number is needed", async () => {
    const steps: StepWrite[] = [{ dataSourceId: warehouse, sql: "select n from generate_series(1, 5000) n" }];
    expect(await run(steps, {}, { maxRows: 10 })).toMatchObject({ rowCount: 10, truncated: true });
    expect(await run(steps, {}, { maxRows: 10, countAll: true })).toMatchObject({
      rowCount: 5000,
      truncated: true,
      rows: { length: 10 },
    });
    const joined = [...steps, { sql: "select * from @@result1" }];
    expect(await run(joined, {}, { maxRows: 10, countAll: true })).toMatchObject({
      rowCount: 5000,
      truncated: true,
    });
  });

  test("of time are shared by all steps, and the step that exceeds them is cancelled", async () => {
    const sleep = (seconds: number): StepWrite => ({
      dataSourceId: warehouse,
      sql: `select pg_sleep(${seconds}) as overslept`,
    });
    await expect(run([sleep(0.7), sleep(0.7)], {}, { timeoutMs: 1000 })).rejects.toMatchObject({
      kind: "timeout",
      message: "Step 2: the query took longer than 1 s and was cancelled here",
    });
    const running = await sql`select 1 from pg_stat_activity
      where state = 'active' and query like '%overslept%' and pid <> pg_backend_pid()`;
    expect(running).toHaveLength(0);
    const { executionTimeMs } = await run([sleep(0.2), sleep(0.2)], {}, { timeoutMs: 5000 });
    expect(executionTimeMs).toBeGreaterThanOrEqual(400);
  });
});

test("the error names the step that failed, unless there is only one", async () => {
  const wrong: StepWrite = { dataSourceId: shop, sql: "select nothing from customers" };
  const fine: StepWrite = { dataSourceId: warehouse, sql: "select 1 as n" };
  await expect(run([wrong])).rejects.toMatchObject({
    kind: "statement",
    message: expect.stringMatching(/^Unknown column 'nothing'/),
  });
  await expect(run([fine, wrong])).rejects.toMatchObject({
    message: expect.stringMatching(/^Step 2: Unknown/),
  });
  await expect(run([fine, { sql: "select nothing from @@result1" }])).rejects.toMatchObject({
    kind: "statement",
    message: expect.stringMatching(/^Step 2: /),
  });
  await expect(run([fine, { sql: "drop table @@result1" }])).rejects.toMatchObject({ kind: "refused" });
});

test("an aborted run begins no further step", async () => {
  asked = [];
  const abort = new AbortController();
  const steps = numbered([
    { dataSourceId: warehouse, sql: "select pg_sleep(0.5)" },
    { dataSourceId: api, request: { method: "GET", path: "/", rowsPath: "data" } },
  ]);
  const running = runSteps(steps, {}, limits, { signal: abort.signal });
  abort.abort(new Error("Stopping"));
  await expect(running).rejects.toThrow("Stopping");
  expect(asked).toEqual([]);
});

test("a query changed or archived during a run does not affect it", async () => {
  const ctx = await asEditor();
  const { id } = await aQuery({
    dataSource: { id: warehouse, projectId },
    sql: "select 1 as n from pg_sleep(0.5)",
  });
  const runnable = await getRunnableQuery(id);
  const running = runSteps(runnable?.steps ?? [], {}, limits);
  await updateQuery(ctx, { id, name: "Orders", steps: [{ dataSourceId: warehouse, sql: "select 2" }] });
  expect(await findActiveVersionNumber(db, id)).toBe(2);
  expect(await getRunnableQuery(id)).toMatchObject({ versionNumber: 2, steps: [{ sql: "select 2" }] });
  await archiveQuery(ctx, { id });
  expect(await getRunnableQuery(id)).toBeNull();
  expect((await running).rows).toEqual([[1]]);
  expect(await getRunnableQuery(2_000_000_000)).toBeNull();
  expect(await findActiveVersionNumber(db, 2_000_000_000)).toBeNull();
});
