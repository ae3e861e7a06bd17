import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { readLimits } from "../../profile/service/read-table.ts";
import { databaseProxy } from "../../test/database-proxy.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { someoneWaitsForLock } from "../../test/waits-for-lock.ts";
import { findingsOf, rowsOf, scanned } from "./finds-planted-faults.fixture.ts";
import { getScan, startScan, waitForScan } from "./scans.ts";
import { shop } from "./warehouse.fixture.ts";

/** Each is a scan that ends, says what it skipped and why, and invents nothing. */

let ctx: SignedIn;
const usual = { ...readLimits };

beforeAll(async () => {
  ctx = await asEditor();
  await sql.unsafe(`
    create schema odd;
    create table odd.empty (id int, name text);
    create table odd.single (id int, name text, at timestamptz);
    insert into odd.single values (1, null, '294276-12-31');
    create table odd.hidden (id int);
    create function odd.fails(int) returns int language plpgsql as $$ begin raise exception 'No such luck'; end $$;
    create view odd.broken as select odd.fails(id) as id from odd.single;
    create table odd.far (id int, ratio float8, at timestamptz, day date, price numeric);
    insert into odd.far select n, case n % 4 when 0 then 'NaN'::float8 when 1 then 'infinity' when 2 then '-infinity' else n end,
      case n % 3 when 0 then timestamptz 'infinity' when 1 then timestamptz '0044-03-15 BC' else '294276-12-31' end,
      case n % 2 when 0 then date '0001-01-01' else date '5874897-12-31' end, 'NaN'
      from generate_series(1, 300) n;
    create table odd."it's ""quoted"" \\" ("a ""b'; --" int primary key, "c\\d" text);
    insert into odd."it's ""quoted"" \\" select n, case when n = 77 then null else 'v' || n end from generate_series(1, 300) n;
    create type odd.mood as enum ('fine');
    create table odd.unknown (id int, mood odd.mood, place point, span int4range, tags text[], raw bytea, doc xml, j json);
    insert into odd.unknown select n, 'fine', point(1, 2), '[1,2)', '{a}', '\\x00', '<a/>', '{}' from generate_series(1, 50) n;
    create table odd.long (id int, body text);
    insert into odd.long values (1, repeat('x', 100000000))`);
  const wide = Array.from({ length: 1500 }, (_, index) => `c${index} int`).join(", ");
  await sql.unsafe(
    `create table odd.wide (${wide}); insert into odd.wide (c0) select generate_series(1, 30)`,
  );
});
afterEach(() => void Object.assign(readLimits, usual));
afterAll(closeSources);

const named = (...names: string[]) => names.map((tableName) => ({ schemaName: "odd", tableName }));

test("tables without rows, with one, of far values, odd types and many columns are scanned, and nothing is found", async () => {
  const { id: dataSourceId } = await aDataSource();
  const tables = named("empty", "single", "far", "unknown", "long", "wide");
  expect(await scanned(ctx, dataSourceId, tables)).toMatchObject({
    ...{ status: "Completed", tablesDone: 6, tablesTotal: 6, skipped: [], error: null },
    // 0 + 1 + 300 + 50 + 1 + 30
    rowsRead: 382,
  });
  expect(await findingsOf(ctx, { dataSourceId })).toEqual([]);
});

test("names with quotes are found with SQL that runs", async () => {
  const { id: dataSourceId } = await aDataSource();
  await scanned(ctx, dataSourceId, named(`it's "quoted" \\`));
  const [finding, ...others] = await findingsOf(ctx, { dataSourceId });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ kind: "MissingValue", columns: ["c\\d"], failingRows: 1 });
  expect(finding && (await rowsOf(finding))).toEqual([77]);
});

test("what cannot be read is skipped with its reason, and the others are read", async () => {
  const { user, password } = { user: "reads_some", password: "some-password" };
  await sql.unsafe(`
    drop role if exists ${user};
    create role ${user} login password '${password}';
    grant usage on schema odd to ${user};
    grant select on odd.single, odd.broken, odd.empty to ${user}`);
  const { id: dataSourceId } = await aDataSource({ connection: { user, password } });
  const scan = await scanned(ctx, dataSourceId, named("single", "hidden", "broken", "empty"));
  expect(scan).toMatchObject({ status: "Completed", tablesDone: 4, tablesTotal: 4, error: null });
  expect(scan.skipped).toEqual([
    { schemaName: "odd", tableName: "hidden", reason: "There is no such table, or the login cannot read it" },
    {
      schemaName: "odd",
      tableName: "broken",
      reason: expect.stringMatching(/No such luck|permission denied/),
    },
  ]);
  await closeSources();
  await sql.unsafe(`drop owned by ${user}; drop role ${user}`);
});

test("of a table that is too large, rows from all over are read, and each finding is counted in all of it", async () => {
  await sql.unsafe(`
    create table odd.large (id int primary key, code text, email text);
    insert into odd.large select n, 'K-' || n, case when n % 2000 = 0 then null else 'c' || n || '@example.com' end
      from generate_series(1, 40000) n;
    analyze odd.large`);
  Object.assign(readLimits, { rows: 8000 });
  const { id: dataSourceId } = await aDataSource();
  const { rowsRead } = await scanned(ctx, dataSourceId, named("large"));
  expect(rowsRead).toBeLessThanOrEqual(8000);
  const found = await findingsOf(ctx, { dataSourceId, minConfidence: 0 });
  expect(found.map(({ kind }) => kind)).toContain("MissingValue");
  for (const { kind, totalRows, failingRows, rowsSql } of found) {
    const [row] = await sql.unsafe(`select count(*)::int as rows from (${rowsSql}) as doubted`);
    expect([kind, totalRows, failingRows]).toEqual([kind, 40_000, row?.rows]);
    // 40,000 / 2,000.
    if (kind === "MissingValue") expect(failingRows).toBe(20);
  }
});

test("of a table with a billion rows by the server's estimate, no more is read than of any other", async () => {
  await sql.unsafe(`
    create table odd.huge (id int primary key, code text);
    insert into odd.huge select n, 'K-' || n from generate_series(1, 200000) n;
    update pg_class set reltuples = 1000000000 where oid = 'odd.huge'::regclass`);
  // Too short for a count, as half a minute is for a billion rows.
  Object.assign(readLimits, { rows: 1000, countMs: 1 });
  const { id: dataSourceId } = await aDataSource();
  expect(await scanned(ctx, dataSourceId, named("huge"))).toMatchObject({
    ...{ status: "Completed", tablesDone: 1, rowsRead: 1000, skipped: [], error: null },
  });
  expect(await findingsOf(ctx, { dataSourceId })).toEqual([]);
});

test("a schema of views alone is read, and a login that may read nothing ends a scan of nothing", async () => {
  const { user, password } = { user: "reads_views", password: "some-password" };
  await sql.unsafe(`
    create schema views_only;
    create view views_only.codes as select n as id, 'K-' || n as code from generate_series(1, 300) n;
    drop role if exists ${user};
    create role ${user} login password '${password}'`);
  const { id: dataSourceId } = await aDataSource({ connection: { user, password } });
  const nothing = {
    status: "Completed",
    tablesDone: 0,
    tablesTotal: 0,
    rowsRead: 0,
    skipped: [],
    error: null,
  };
  expect(await scanned(ctx, dataSourceId)).toMatchObject(nothing);
  await sql.unsafe(
    `grant usage on schema views_only to ${user}; grant select on views_only.codes to ${user}`,
  );
  expect(await scanned(ctx, dataSourceId)).toMatchObject({
    ...nothing,
    tablesDone: 1,
    tablesTotal: 1,
    rowsRead: 300,
  });
  expect(await findingsOf(ctx, { dataSourceId })).toEqual([]);
  await closeSources();
  await sql.unsafe(`drop owned by ${user}; drop role ${user}`);
});

test("tables that change while a scan waits for another one are skipped with the server's reason", async () => {
  await sql.unsafe(`
    create table odd.gate (id int);
    create table odd.altered (id int, name text);
    create table odd.dropped (id int);
    create table odd.unchanged (id int);
    insert into odd.unchanged select generate_series(1, 30)`);
  const { id: dataSourceId } = await aDataSource();
  const tables = named("gate", "altered", "dropped", "unchanged");
  const id = await sql.begin(async (tx) => {
    await tx`lock table odd.gate in access exclusive mode`;
    const begun = await startScan(ctx, { dataSourceId, tables });
    await someoneWaitsForLock();
    await tx.unsafe("alter table odd.altered drop column name; drop table odd.dropped");
    return begun.id;
  });
  await waitForScan(id);
  expect(await getScan(ctx, id)).toMatchObject({
    ...{ status: "Completed", tablesDone: 4, tablesTotal: 4, rowsRead: 30, error: null },
    skipped: [
      { tableName: "altered", reason: expect.stringMatching(/column "name" does not exist/) },
      { tableName: "dropped", reason: expect.stringMatching(/relation "odd.dropped" does not exist/) },
    ],
  });
  expect(await findingsOf(ctx, { dataSourceId })).toEqual([]);
});

test("a data source that dies while it is read ends the scan with the reason", async () => {
  await sql.unsafe("create table odd.held (id int); create table odd.after (id int)");
  const proxy = await databaseProxy(process.env.DATABASE_URL ?? "");
  const { hostname: host, port } = new URL(proxy.url);
  const { id: dataSourceId } = await aDataSource({ connection: { host, port: Number(port) } });
  const id = await sql.begin(async (tx) => {
    await tx`lock table odd.held in access exclusive mode`;
    const begun = await startScan(ctx, { dataSourceId, tables: named("single", "held", "after") });
    await someoneWaitsForLock();
    await proxy.close();
    await waitForScan(begun.id);
    return begun.id;
  });
  expect(await getScan(ctx, id)).toMatchObject({
    ...{ status: "Failed", tablesDone: 1, tablesTotal: 3, rowsRead: 1, skipped: [] },
    error: expect.stringMatching(/^Connection refused|^The /),
  });
  expect(await findingsOf(ctx, { dataSourceId })).toEqual([]);
});

test("a data source that is gone ends the scan with the reason, and what was found before stays", async () => {
  await sql.unsafe("drop schema if exists shop cascade; create schema shop");
  for (const statement of shop((name) => `shop.${name}`)) await sql.unsafe(statement);
  const proxy = await databaseProxy(process.env.DATABASE_URL ?? "");
  const { hostname: host, port } = new URL(proxy.url);
  const { id: dataSourceId } = await aDataSource({ connection: { host, port: Number(port) } });
  const tables = [{ schemaName: "shop", tableName: "customers" }];
  await scanned(ctx, dataSourceId, tables);
  const before = await findingsOf(ctx, { dataSourceId });
  expect(before.length).toBe(2);
  await proxy.close();
  const scan = await scanned(ctx, dataSourceId, tables);
  expect(scan).toMatchObject({ status: "Failed", error: expect.stringMatching(/^Connection refused|^The /) });
  expect(await findingsOf(ctx, { dataSourceId })).toEqual(before);
});
