import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { gatherEvidence } from "../service/gather-evidence.ts";
import type { Check } from "./check.ts";
import { sqlOf } from "./check-sql.ts";

/** Each kind of check on a real PostgreSQL, on tables with known faults. */

let dataSourceId: number;

/** Names that are hard to quote: with a quote, a dot, a space, capitals, a reserved word, an emoji. */
const odd = { schemaName: 'Shop "A".b', tableName: 'Order.s 😀 "x"' };
const q = (name: string) => `"${name.replaceAll('"', '""')}"`;
const oddTable = `${q(odd.schemaName)}.${q(odd.tableName)}`;

beforeAll(async () => {
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(`
    create schema shop;
    create table shop.customers (id int primary key, email text);
    insert into shop.customers values (1, 'a@x.com'), (2, 'b@x.com'), (3, 'a@x.com'), (4, null), (5, null);
    create table shop.orders (id int primary key, customer_id int, placed_at timestamptz, due date);
    insert into shop.orders values
      (1, 1, now() - interval '3 hours', current_date), (2, 9, now() - interval '5 hours', null),
      (3, null, now() - interval '1 day', null), (4, 8, '2200-01-01', current_date);
    create table shop.plain (at timestamp, a text, b int);
    insert into shop.plain values
      (now(), 'x', null), (now(), 'x', null), (now(), 'y', 1), (now() + interval '1 year', 'x', 2);
    create table shop.empty (at timestamptz, n int);
    create schema ${q(odd.schemaName)};
    create table ${oddTable} ("select" int, "Customer Id" int, "dé.f" timestamptz);
    insert into ${oddTable} values (1, 7, now() - interval '3 hours'), (1, null, now() - interval '4 hours'), (2, 1, null)`);
});
afterAll(closeSources);

async function rowsOf(check: Check) {
  const evidence = await gatherEvidence(await asAdmin(), dataSourceId, sqlOf(check, "postgresql"));
  expect(evidence).toMatchObject({ valid: true, issues: [] });
  return evidence.rows;
}

const shop = (tableName: string) => ({ schemaName: "shop", tableName });
const freshness = (tableName: string, column: string, maxAgeMinutes: number): Check => ({
  ...{ kind: "Freshness", ...shop(tableName), column, maxAgeMinutes },
});

describe("freshness", () => {
  test("a row contains the age of the newest, and future times do not hide it", async () => {
    expect(await rowsOf(freshness("orders", "placed_at", 120))).toEqual([[expect.any(String), "180"]]);
    expect(await rowsOf(freshness("orders", "placed_at", 240))).toEqual([]);
  });
  test("times without a zone are UTC, and a date means midnight", async () => {
    expect(await rowsOf(freshness("plain", "at", 5))).toEqual([]);
    expect(await rowsOf(freshness("orders", "due", 1440))).toEqual([]);
  });
  test("an empty table is not fresh", async () => {
    expect(await rowsOf(freshness("empty", "at", 60))).toEqual([[null, null]]);
  });
});

test("volume: too few rows are reported with the expected number", async () => {
  const volume = (tableName: string, minRows: number): Check => ({
    kind: "Volume",
    ...shop(tableName),
    minRows,
  });
  expect(await rowsOf(volume("orders", 5))).toEqual([["4", 5]]);
  expect(await rowsOf(volume("orders", 4))).toEqual([]);
  expect(await rowsOf(volume("empty", 1))).toEqual([["0", 1]]);
});

test("missing values: the rows that lack any of them, identified by their key", async () => {
  const missing = (columns: string[]): Check => ({
    ...{ kind: "NullRate", ...shop("orders"), columns, shownWith: ["id"] },
  });
  expect((await rowsOf(missing(["customer_id", "due"])))?.map(([id]) => id)).toEqual([2, 3]);
  expect(await rowsOf(missing(["placed_at", "id"]))).toEqual([]);
});

describe("duplicates", () => {
  test("are values that occur more than once, with the first and last rows that have them; NULL is not one", async () => {
    const check: Check = {
      ...{
        kind: "Uniqueness",
        ...shop("customers"),
        columns: ["email"],
        shownWith: ["id"],
        isWholeRow: false,
      },
    };
    // Email addresses are masked in evidence.
    expect((await rowsOf(check))?.map((row) => row.slice(1))).toEqual([["2", 1, 3]]);
    expect(await rowsOf({ ...check, columns: ["id"] })).toEqual([]);
  });
  test("of rows are entirely the same, including missing values", async () => {
    const check = { kind: "Uniqueness", ...shop("plain"), shownWith: [], isWholeRow: true } as const;
    expect((await rowsOf({ ...check, columns: ["a", "b"] }))?.map((row) => row)).toEqual([["x", null, "2"]]);
    expect(await rowsOf({ ...check, tableName: "orders", columns: ["id", "customer_id"] })).toEqual([]);
  });
});

test("orphans: values missing from the other table; NULL references nothing", async () => {
  const references = { ...shop("customers"), columnName: "id" };
  const check: Check = {
    ...{ kind: "Referential", ...shop("orders"), column: "customer_id", references, shownWith: ["id"] },
  };
  expect(await rowsOf(check)).toEqual([
    [2, 9],
    [4, 8],
  ]);
  await sql.unsafe("insert into shop.customers values (8, 'h@x.com'), (9, 'i@x.com')");
  expect(await rowsOf(check)).toEqual([]);
});

test("unusual names work like any others, in every kind", async () => {
  const columns = ["Customer Id"];
  const references = { ...shop("orders"), columnName: "id" };
  expect(await rowsOf({ kind: "Freshness", ...odd, column: "dé.f", maxAgeMinutes: 60 })).toHaveLength(1);
  expect(await rowsOf({ kind: "Volume", ...odd, minRows: 4 })).toEqual([["3", 4]]);
  expect(await rowsOf({ kind: "NullRate", ...odd, columns, shownWith: ["select"] })).toEqual([[1, null]]);
  const twice = { kind: "Uniqueness", ...odd, columns: ["select"], isWholeRow: false } as const;
  expect(await rowsOf({ ...twice, shownWith: ["Customer Id"] })).toEqual([[1, "2", 7, 7]]);
  const orphans = { kind: "Referential", ...odd, column: "Customer Id", references } as const;
  expect(await rowsOf({ ...orphans, shownWith: ["dé.f"] })).toEqual([[expect.any(String), 7]]);
});

/** SQL Server is not available in every run, so its text is compared; the others are run. */
describe("on SQL Server it is one statement in its own dialect", () => {
  const table = { schemaName: "dbo", tableName: "odd]name" };
  const text = (check: Check) => sqlOf(check, "sqlserver").split("\n").slice(1).join("\n");

  test("freshness", () => {
    expect(text({ kind: "Freshness", ...table, column: "at", maxAgeMinutes: 60 })).toBe(
      `select max([at]) as [newest], datediff_big(minute, max([at]), sysutcdatetime()) as [age_in_minutes]
from [dbo].[odd]]name]
where [at] <= sysutcdatetime()
having max([at]) is null or max([at]) < dateadd(minute, -60, sysutcdatetime())`,
    );
  });
  test("volume", () => {
    expect(text({ kind: "Volume", ...table, minRows: 10 })).toBe(
      `select count_big(*) as [row_count], 10 as [expected_at_least]
from [dbo].[odd]]name]
having count_big(*) < 10`,
    );
  });
  test("missing values", () => {
    expect(text({ kind: "NullRate", ...table, columns: ["a", "b"], shownWith: ["id"] })).toBe(
      `select top (1000) [id], [a], [b]
from [dbo].[odd]]name]
where [a] is null
   or [b] is null
order by [id]`,
    );
  });
  test("duplicates", () => {
    const check = {
      kind: "Uniqueness",
      ...table,
      columns: ["a"],
      shownWith: ["id"],
      isWholeRow: false,
    } as const;
    expect(text(check)).toBe(
      `select top (1000) [a], count_big(*) as [occurrences], min([id]) as [first_key], max([id]) as [last_key]
from [dbo].[odd]]name]
where [a] is not null
group by [a]
having count_big(*) > 1
order by count_big(*) desc, [a]`,
    );
  });
  test("orphans", () => {
    const references = { schemaName: "dbo", tableName: "b", columnName: "id" };
    expect(text({ kind: "Referential", ...table, column: "b_id", references, shownWith: ["id"] })).toBe(
      `select top (1000) checked.[id], checked.[b_id]
from [dbo].[odd]]name] as checked
where checked.[b_id] is not null
  and not exists (
    select 1 from [dbo].[b] as reference
    where reference.[id] = checked.[b_id])
order by checked.[id]`,
    );
  });
});
