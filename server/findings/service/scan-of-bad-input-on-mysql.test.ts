import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { findingsOf, rowsOf, scanned } from "./finds-planted-faults.fixture.ts";

/** What only MySQL and MariaDB have, and what they do otherwise than PostgreSQL. */

let ctx: SignedIn;
let dataSourceId: number;
const schemaName = mysqlConnection.database;
const named = (...names: string[]) => names.map((tableName) => ({ schemaName, tableName }));

beforeAll(async () => {
  ctx = await asEditor();
  ({ id: dataSourceId } = await aDataSource({ connection: mysqlConnection }));
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, dataSourceId));
  const wide = Array.from({ length: 2000 }, (_, index) => `c${index} tinyint`).join(", ");
  const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
  const rows = (row: (n: number) => string) => numbers.map((n) => `(${row(n)})`).join(", ");
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
    drop table gone`);
});
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
