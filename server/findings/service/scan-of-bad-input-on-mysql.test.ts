import { setTimeout as delay } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { readLimits } from "../../profile/service/read-table.ts";
import { databaseProxy } from "../../test/database-proxy.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { asAdmin, mysql, mysqlConnection } from "../../test/mysql.ts";
import { findingsOf, rowsOf, scanned } from "./finds-planted-faults.fixture.ts";
import { getScan, startScan, waitForScan } from "./scans.ts";
import { shop } from "./warehouse.fixture.ts";

/**
 * Each is a scan that ends, says what it skipped and why, and invents nothing, as on PostgreSQL; with what only MySQL and
 * MariaDB have: years 0, and no NaN and infinity.
 */

let ctx: SignedIn;
let dataSourceId: number;
const usual = { ...readLimits };
const schemaName = mysqlConnection.database;
async function aMySqlSource(connection: Partial<typeof mysqlConnection>): Promise<number> {
  const { id } = await aDataSource({ connection: { ...mysqlConnection, ...connection } });
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, id));
  return id;
}

/** Makes a login that may do nothing but connect to some databases. */
async function aLogin(user: string, ...databases: string[]) {
  const password = "some-password";
  await mysql.query(`drop user if exists ${user}; create user ${user} identified by '${password}'`);
  for (const database of databases) await mysql.query(`grant lock tables on ${database}.* to ${user}`);
  return { user, password };
}

/** Returns when somebody on this test's database waits for a table that somebody else has locked. */
async function someoneWaitsForTable(): Promise<void> {
  const waiting =
    "select 1 from information_schema.processlist where db = ? and state like 'Waiting for table%'";
  while ((await asAdmin(waiting, [schemaName])).length === 0) await delay(20);
}

/** So many rows in one statement. */
const rowsFrom = (count: number, row: (n: number) => string) =>
  Array.from({ length: count }, (_, index) => `(${row(index + 1)})`).join(", ");

const named = (...names: string[]) => names.map((tableName) => ({ schemaName, tableName }));

beforeAll(async () => {
  ctx = await asEditor();
  dataSourceId = await aMySqlSource({});
  const wide = Array.from({ length: 2000 }, (_, index) => `c${index} tinyint`).join(", ");
  const rows = (row: (n: number) => string) => rowsFrom(300, row);
  await mysql.query(`
    create table empty (id int, name text);
    create table single (id int, name text, at datetime);
    insert into single values (1, null, '9999-12-31');
    set sql_mode = '';
    create table far (id int, day date, at datetime, born year, ratio double);
    insert into far values ${rows((n) => `${n}, ${n % 2 ? "'0000-00-00'" : "'9999-12-31'"}, ${n % 3 ? "'0000-00-00 00:00:00'" : "'1000-01-01'"}, ${n % 2 ? "0" : "2155"}, ${n % 2 ? "-" : ""}1.7e308`)};
    create table \`it's "quoted" \`\` \\\` (\`a "b'; --\` int primary key, \`c\\d\` text);
    insert into \`it's "quoted" \`\` \\\` values ${rows((n) => `${n}, ${n === 77 ? "null" : `'v${n}'`}`)};
    create table odd_types (id int, span time(6), flags set('a', 'b'), bits bit(40), raw blob, place point, doc json);
    insert into odd_types values ${rows((n) => `${n}, '-838:59:59', 'a,b', b'1', x'00ff', point(1, 2), '{}'`)};
    create table long_text (id int, body longtext);
    insert into long_text values (1, repeat('x', 10000000));
    create table wide (${wide}) engine = MyISAM;
    insert into wide (c0) values (1), (2), (3);
    create table gone (id int);
    create view broken as select id from gone;
    create view failing as select id, (select id from far) as other from single;
    drop table gone`);
});
afterEach(() => void Object.assign(readLimits, usual));
afterAll(closeSources);

test("tables without rows, with one, of far values, odd types and 2,000 columns are scanned, and nothing is found", async () => {
  const tables = named("empty", "single", "far", "odd_types", "long_text", "wide");
  expect(await scanned(ctx, dataSourceId, tables)).toMatchObject({
    ...{ status: "Completed", tablesDone: 6, tablesTotal: 6, skipped: [], error: null },
    // 0 + 1 + 300 + 300 + 1 + 3
    rowsRead: 605,
  });
  expect(await findingsOf(ctx, { dataSourceId })).toEqual([]);
});

test("names with quotes are found with SQL that runs, and a view that fails is skipped", async () => {
  const scan = await scanned(ctx, dataSourceId, named('it\'s "quoted" ` \\', "broken"));
  expect(scan).toMatchObject({ status: "Completed", tablesDone: 2, tablesTotal: 2, error: null });
  expect(scan.skipped).toMatchObject([{ tableName: "broken", reason: expect.any(String) }]);
  const [finding, ...others] = await findingsOf(ctx, { dataSourceId });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ kind: "MissingValue", columns: ["c\\d"], failingRows: 1 });
  expect(finding && (await rowsOf(finding))).toEqual([77]);
});

test("what cannot be read is skipped with its reason, and the others are read", async () => {
  const login = await aLogin("reads_some", schemaName);
  await mysql.query("create table hidden (id int)");
  for (const table of ["single", "empty", "broken", "failing"])
    await mysql.query(`grant select on ${schemaName}.${table} to ${login.user}`);
  const own = await aMySqlSource(login);
  const scan = await scanned(ctx, own, named("single", "hidden", "broken", "failing", "empty"));
  expect(scan).toMatchObject({
    status: "Completed",
    tablesDone: 5,
    tablesTotal: 5,
    rowsRead: 1,
    error: null,
  });
  expect(scan.skipped).toEqual([
    { schemaName, tableName: "hidden", reason: "There is no such table, or the login cannot read it" },
    // The server lists no columns of a view that it cannot resolve.
    { schemaName, tableName: "broken", reason: "There is no such table, or the login cannot read it" },
    { schemaName, tableName: "failing", reason: expect.stringMatching(/more than 1 row/) },
  ]);
  expect(await findingsOf(ctx, { dataSourceId: own })).toEqual([]);
  await closeSources();
  await mysql.query(`drop user ${login.user}`);
});

test("days of the year 0 among others stand for no day, and no statement fails by them, or by a month 0", async () => {
  await mysql.query(`
    set sql_mode = '';
    create table dated (id int primary key, ordered_on date, paid_at datetime);
    insert into dated values ${rowsFrom(400, (n) =>
      n === 77 || n === 210
        ? `${n}, '0000-00-00', '0000-00-00 00:00:00'`
        : n === 301
          ? `${n}, '2024-00-00', '2024-02-00 10:00:00'`
          : `${n}, '2024-03-01' + interval ${n >> 1} day, '2024-03-02 09:00:00' + interval ${n * 12} hour`,
    )}`);
  const own = await aMySqlSource({});
  expect(await scanned(ctx, own, named("dated"))).toMatchObject({
    ...{ status: "Completed", tablesDone: 1, rowsRead: 400, skipped: [], error: null },
  });
  const found = await findingsOf(ctx, { dataSourceId: own, minConfidence: 0 });
  const doubted = new Set<unknown>();
  for (const finding of found) {
    const ids = await rowsOf(finding);
    expect([finding.statement, ids.length]).toEqual([finding.statement, finding.failingRows]);
    for (const id of ids) doubted.add(id);
  }
  expect([...doubted].map(Number).sort((a, b) => a - b)).toEqual([77, 210]);
});

test("of a table that is too large, some rows are read, and each finding is counted in all of it", async () => {
  await mysql.query(`
    create table large (id int primary key, code varchar(20), email varchar(60));
    insert into large values ${rowsFrom(40_000, (n) => `${n}, 'K-${n}', ${n % 2000 === 0 ? "null" : `'c${n}@example.com'`}`)};
    analyze table large`);
  Object.assign(readLimits, { rows: 8000 });
  const own = await aMySqlSource({});
  const { rowsRead } = await scanned(ctx, own, named("large"));
  expect(rowsRead).toBeLessThanOrEqual(8000);
  const found = await findingsOf(ctx, { dataSourceId: own, minConfidence: 0 });
  expect(found.map(({ kind }) => kind)).toContain("MissingValue");
  for (const { kind, totalRows, failingRows, rowsSql } of found) {
    const [[rows] = []] = await asAdmin(`select count(*) from (${rowsSql}) as doubted`);
    expect([kind, totalRows, failingRows]).toEqual([kind, 40_000, Number(rows)]);
    // 40,000 / 2,000.
    if (kind === "MissingValue") expect(failingRows).toBe(20);
  }
});

test("of a table with a billion rows by the server's estimate, no more is read than of any other", async () => {
  await mysql.query(`
    create table huge (id int primary key, code varchar(20));
    insert into huge values ${rowsFrom(20_000, (n) => `${n}, 'K-${n}'`)};
    analyze table huge;
    update mysql.innodb_table_stats set n_rows = 1000000000 where database_name = '${schemaName}' and table_name = 'huge';
    flush tables huge`);
  // Too short for a count, as half a minute is for a billion rows.
  Object.assign(readLimits, { rows: 1000, countMs: 1 });
  const own = await aMySqlSource({});
  expect(await scanned(ctx, own, named("huge"))).toMatchObject({
    ...{ status: "Completed", tablesDone: 1, rowsRead: 1000, skipped: [], error: null },
  });
  expect(await findingsOf(ctx, { dataSourceId: own })).toEqual([]);
});

test("a database of views alone is read, and a login that may read nothing ends a scan of nothing", async () => {
  const views = `${schemaName}_views`;
  await mysql.query(`create database ${views}`);
  const login = await aLogin("reads_views", views);
  try {
    await mysql.query(
      `create view ${views}.codes as select id, concat('K-', id) as code from ${schemaName}.far`,
    );
    const own = await aMySqlSource({ ...login, database: views });
    const nothing = {
      ...{ status: "Completed", tablesDone: 0, tablesTotal: 0, rowsRead: 0 },
      skipped: [],
      error: null,
    };
    expect(await scanned(ctx, own)).toMatchObject(nothing);
    await mysql.query(`grant select on ${views}.codes to ${login.user}`);
    expect(await scanned(ctx, own)).toMatchObject({
      ...nothing,
      tablesDone: 1,
      tablesTotal: 1,
      rowsRead: 300,
    });
    expect(await findingsOf(ctx, { dataSourceId: own })).toEqual([]);
  } finally {
    await closeSources();
    await mysql.query(`drop user ${login.user}; drop database ${views}`);
  }
});

test("tables that change while a scan waits for another one are skipped with the server's reason", async () => {
  await mysql.query(`
    create table gate (id int);
    create table altered (id int, name text);
    create table dropped (id int);
    create table unchanged (id int);
    insert into unchanged values ${rowsFrom(30, String)}`);
  const own = await aMySqlSource({});
  await mysql.query("lock tables gate write, altered write, dropped write");
  try {
    const begun = await startScan(ctx, {
      dataSourceId: own,
      tables: named("gate", "altered", "dropped", "unchanged"),
    });
    await someoneWaitsForTable();
    await mysql.query("alter table altered drop column name; drop table dropped; unlock tables");
    await waitForScan(begun.id);
    expect(await getScan(ctx, begun.id)).toMatchObject({
      ...{ status: "Completed", tablesDone: 4, tablesTotal: 4, rowsRead: 30, error: null },
      skipped: [
        { tableName: "altered", reason: expect.stringMatching(/Unknown column 'name'/) },
        { tableName: "dropped", reason: expect.stringMatching(/doesn't exist/) },
      ],
    });
  } finally {
    await mysql.query("unlock tables");
  }
  expect(await findingsOf(ctx, { dataSourceId: own })).toEqual([]);
});

const throughProxy = async () => {
  const proxy = await databaseProxy(`mysql://${mysqlConnection.host}:${mysqlConnection.port}`);
  const { hostname: host, port } = new URL(proxy.url);
  return { proxy, id: await aMySqlSource({ host, port: Number(port) }) };
};

test("a data source that dies while it is read ends the scan with the reason", async () => {
  await mysql.query("create table held (id int); create table after_held (id int)");
  const { proxy, id: own } = await throughProxy();
  await mysql.query("lock tables held write");
  try {
    const begun = await startScan(ctx, { dataSourceId: own, tables: named("single", "held", "after_held") });
    await someoneWaitsForTable();
    await proxy.close();
    await waitForScan(begun.id);
    expect(await getScan(ctx, begun.id)).toMatchObject({
      ...{ status: "Failed", tablesDone: 1, tablesTotal: 3, rowsRead: 1, skipped: [] },
      error: expect.stringMatching(/^Connection refused|^The /),
    });
  } finally {
    await mysql.query("unlock tables");
  }
  expect(await findingsOf(ctx, { dataSourceId: own })).toEqual([]);
});

test("a data source that is gone ends the scan with the reason, and what was found before stays", async () => {
  for (const statement of shop((name) => `\`${name}\``)) await mysql.query(statement);
  const { proxy, id: own } = await throughProxy();
  await scanned(ctx, own, named("customers"));
  const before = await findingsOf(ctx, { dataSourceId: own });
  expect(before.length).toBe(2);
  await proxy.close();
  expect(await scanned(ctx, own, named("customers"))).toMatchObject({
    ...{ status: "Failed", error: expect.stringMatching(/^Connection refused|^The /) },
  });
  expect(await findingsOf(ctx, { dataSourceId: own })).toEqual(before);
});
