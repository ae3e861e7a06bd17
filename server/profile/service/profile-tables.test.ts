import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { profileLimits, profileTables, tableKey } from "./profile-tables.ts";
import type { TableToRead } from "./read-table.ts";

/** Profiles of tables of a real PostgreSQL, as an actor has them. */

let dataSourceId: number;

const column = (name: string, type: string) => ({
  ...{ name, type, nullable: true, comment: null, isPrimaryKey: false },
});
const table = (
  tableName: string,
  columns: TableToRead["columns"],
  rowEstimate: number | null = null,
): TableToRead => ({
  ...{ schemaName: "shop", tableName, kind: "Table", rowEstimate, comment: null, columns },
});
const all = { totalMs: 30_000 };
const profileOne = async (asked: TableToRead) =>
  (await profileTables(dataSourceId, [asked], all)).get(tableKey("shop", asked.tableName));

beforeAll(async () => {
  dataSourceId = (await aDataSource()).id;
  // Half past, so that an hour is not left while it is read.
  await sql.unsafe(`
    create schema shop;
    create table shop.orders (id int, note text, placed_at timestamptz);
    insert into shop.orders
      select n, case when n > 3 then 'x' end, date_trunc('hour', now()) - n * interval '1 hour' - interval '1 minute'
      from generate_series(1, 10) n;
    insert into shop.orders values
      (11, 'y', date_trunc('hour', now()) - interval '34 hours' - interval '1 minute'),
      (12, 'y', date_trunc('hour', now()) - interval '60 days');
    create table shop.large (id int, seen_at timestamp);
    insert into shop.large select n, now() - (250001 - n) * interval '1 minute' from generate_series(1, 250000) n;
    analyze shop.large;
    create view shop.broken as select 1 / (id - id) as n from shop.orders;
    create view shop.slow as select pg_sleep(20)::text as n`);
});
afterAll(closeSources);

test("a table is counted, column by column, and no texts are read", async () => {
  const profile = await profileOne(
    table("orders", [
      column("id", "integer"),
      column("note", "text"),
      column("placed_at", "timestamp with time zone"),
    ]),
  );
  expect(profile).toMatchObject({ rows: 12, isWhole: true });
  expect(profile?.columns[1]).toMatchObject({ name: "note", values: 9, different: 2, samples: [] });
});

test("when rows came lately is read by the hour, the time without rows included", async () => {
  const profile = await profileOne(table("orders", [column("placed_at", "timestamp with time zone")]));
  // Ten hours in a row, then a gap of a day: hours 1 to 10 and 34 before this one; the last is out of the window.
  const { arrivals } = profile?.columns[0] ?? {};
  expect(arrivals).toMatchObject({ hours: 11, longestGapHours: 24, fewestRows: 1 });
  expect([1, 2]).toContain(arrivals?.latestHoursAgo);
});

test("of a large table all rows are counted, and the newest is the newest of all", async () => {
  const large = table(
    "large",
    [column("id", "integer"), column("seen_at", "timestamp without time zone")],
    250_000,
  );
  const profile = await profileOne(large);
  expect(profile).toMatchObject({ isWhole: false, totalRows: 250_000 });
  const seenAt = profile?.columns[1];
  expect(seenAt?.ageSeconds).toBeGreaterThanOrEqual(60);
  expect(seenAt?.ageSeconds).toBeLessThan(180);
  // 35 days of 24 hours, and the hours at both ends, with 60 rows each but for those.
  expect(seenAt?.arrivals).toMatchObject({ longestGapHours: 1, fewestRows: 60, latestHoursAgo: 0 });
});

describe("left out is", () => {
  test("what cannot be read, and what takes too long; the others are there", async () => {
    const { scanMs } = profileLimits;
    profileLimits.scanMs = 300;
    const found = await profileTables(
      dataSourceId,
      [
        { ...table("broken", [column("n", "integer")]), kind: "View" },
        { ...table("slow", [column("n", "text")]), kind: "View" },
        table("gone", [column("n", "integer")]),
        table("orders", [column("id", "integer")]),
      ],
      all,
    ).finally(() => {
      profileLimits.scanMs = scanMs;
    });
    expect([...found.keys()]).toEqual([tableKey("shop", "orders")]);
  });

  test("what there is no time for, and what is beyond the number", async () => {
    const orders = table("orders", [column("id", "integer")]);
    expect(await profileTables(dataSourceId, [orders], { totalMs: 0 })).toEqual(new Map());
    const { tables } = profileLimits;
    profileLimits.tables = 1;
    const found = await profileTables(dataSourceId, [orders, table("large", orders.columns)], all).finally(
      () => {
        profileLimits.tables = tables;
      },
    );
    expect(found.size).toBe(1);
  });
});

test("a source that cannot be reached is an error, and no empty answer", async () => {
  const away = await aDataSource({ connection: { port: 1 } });
  const orders = table("orders", [column("id", "integer")]);
  await expect(profileTables(away.id, [orders], all)).rejects.toMatchObject({
    name: "SourceError",
    kind: "unreachable",
  });
});
