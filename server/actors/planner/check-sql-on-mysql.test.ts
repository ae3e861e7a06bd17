import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { gatherEvidence } from "../service/gather-evidence.ts";
import type { Check } from "./check.ts";
import { sqlOf } from "./check-sql.ts";

/** Each kind of check on a real MySQL or MariaDB, on tables with known faults. */

let dataSourceId: number;
const schemaName = mysqlConnection.database;
const odd = { schemaName, tableName: 'Order.s `x" é' };
const q = (name: string) => `\`${name.replaceAll("`", "``")}\``;

beforeAll(async () => {
  dataSourceId = (await aDataSource({ connection: mysqlConnection })).id;
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, dataSourceId));
  await mysql.query(`
    create table customers (id int primary key, code varchar(20));
    insert into customers values (1, 'A-1'), (2, 'B-2'), (3, 'A-1'), (4, null), (5, null);
    create table orders (id int primary key, customer_id int, placed_at datetime, due date, seen timestamp null);
    insert into orders values
      (1, 1, utc_timestamp() - interval 3 hour, utc_date(), utc_timestamp()),
      (2, 9, utc_timestamp() - interval 5 hour, null, null),
      (3, null, '2220-01-01', utc_date(), null);
    create table plain (a varchar(5), b int);
    insert into plain values ('x', null), ('x', null), ('y', 1);
    create table empty (at datetime);
    create table ${q(odd.tableName)} (\`select\` int, \`Customer Id\` int, \`d.f?\` datetime);
    insert into ${q(odd.tableName)} values
      (1, 7, utc_timestamp() - interval 3 hour), (1, null, utc_timestamp() - interval 4 hour), (2, 1, null)`);
});
afterAll(closeSources);

async function rowsOf(check: Check) {
  const evidence = await gatherEvidence(await asAdmin(), dataSourceId, sqlOf(check, "mysql"));
  expect(evidence).toMatchObject({ valid: true, issues: [] });
  return evidence.rows;
}

const table = (tableName: string) => ({ schemaName, tableName });

test("freshness: a row contains the age of the newest, and future times do not hide it", async () => {
  const freshness = (tableName: string, column: string, maxAgeMinutes: number) =>
    rowsOf({ kind: "Freshness", ...table(tableName), column, maxAgeMinutes });
  expect((await freshness("orders", "placed_at", 120))?.map(([, age]) => Number(age))).toEqual([180]);
  expect(await freshness("orders", "placed_at", 240)).toEqual([]);
  expect(await freshness("orders", "seen", 5)).toEqual([]);
  expect(await freshness("orders", "due", 1440)).toEqual([]);
  expect(await freshness("empty", "at", 60)).toEqual([[null, null]]);
});

test("volume: too few rows are reported with the expected number", async () => {
  const volume = (tableName: string, minRows: number) =>
    rowsOf({ kind: "Volume", ...table(tableName), minRows });
  expect((await volume("orders", 5))?.map((row) => row.map(Number))).toEqual([[3, 5]]);
  expect(await volume("orders", 3)).toEqual([]);
  expect(await volume("empty", 1)).toHaveLength(1);
});

test("missing values: the rows that lack any of them, identified by their key", async () => {
  const missing = { kind: "NullRate", ...table("orders"), shownWith: ["id"] } as const;
  expect((await rowsOf({ ...missing, columns: ["customer_id", "due"] }))?.map(([id]) => id)).toEqual([2, 3]);
  expect(await rowsOf({ ...missing, columns: ["placed_at"] })).toEqual([]);
});

test("duplicates: values that occur more than once, and rows that are entirely the same", async () => {
  const check = { kind: "Uniqueness", ...table("customers"), shownWith: ["id"], isWholeRow: false } as const;
  expect((await rowsOf({ ...check, columns: ["code"] }))?.map((row) => row.map(String))).toEqual([
    ["A-1", "2", "1", "3"],
  ]);
  expect(await rowsOf({ ...check, columns: ["id"] })).toEqual([]);
  const rows = { kind: "Uniqueness", ...table("plain"), shownWith: [], isWholeRow: true } as const;
  expect((await rowsOf({ ...rows, columns: ["a", "b"] }))?.map((row) => row.map(String))).toEqual([
    ["x", "null", "2"],
  ]);
});

test("orphans: values missing from the other table; NULL references nothing", async () => {
  const references = { ...table("customers"), columnName: "id" };
  const check = { kind: "Referential", ...table("orders"), references, shownWith: ["id"] } as const;
  expect(await rowsOf({ ...check, column: "customer_id" })).toEqual([[2, 9]]);
  expect(await rowsOf({ ...check, column: "id" })).toEqual([]);
});

test("unusual names work like any others, in every kind", async () => {
  const columns = ["Customer Id"];
  const references = { ...table("orders"), columnName: "id" };
  expect(await rowsOf({ kind: "Freshness", ...odd, column: "d.f?", maxAgeMinutes: 60 })).toHaveLength(1);
  expect(await rowsOf({ kind: "Volume", ...odd, minRows: 4 })).toHaveLength(1);
  expect(await rowsOf({ kind: "NullRate", ...odd, columns, shownWith: ["select"] })).toEqual([[1, null]]);
  const twice = { kind: "Uniqueness", ...odd, columns: ["select"], isWholeRow: false } as const;
  expect((await rowsOf({ ...twice, shownWith: ["Customer Id"] }))?.map((row) => row.map(Number))).toEqual([
    [1, 2, 7, 7],
  ]);
  const orphans = { kind: "Referential", ...odd, column: "Customer Id", references } as const;
  expect((await rowsOf({ ...orphans, shownWith: ["select"] }))?.map((row) => row.map(Number))).toEqual([
    [1, 7],
  ]);
});
