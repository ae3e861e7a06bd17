import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replayFlights } from "./feed.ts";
import { connectToWarehouse, createWarehouse, type Reader } from "./warehouse.ts";

const databaseUrl = process.env.DATABASE_URL ?? "";
const names = { database: "demo_warehouse_test", reader: "demo_warehouse_reader" };
let reader: Reader;
let warehouse: Sql;

beforeAll(async () => {
  reader = await createWarehouse(databaseUrl, names);
  warehouse = connectToWarehouse(databaseUrl, names);
}, 180_000);

afterAll(async () => {
  await warehouse.end();
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe("drop database demo_warehouse_test with (force)");
  await admin.unsafe("drop role demo_warehouse_reader");
  await admin.end();
});

// Counted in the package's files with a different program.
test.each([
  ["us_states", 50],
  ["airports", 3376],
  ["flights", 20000],
  ["movies", 3201],
  ["bird_strikes", 10000],
  ["weather", 2922],
])("%s holds the %i rows of its source", async (table, rows) => {
  expect(await warehouse`select count(*)::int as rows from ${warehouse(table)}`).toEqual([{ rows }]);
});

test("flaws in the source data are kept", async () => {
  const [flaws] = await warehouse`select
    (select count(*)::int from movies where director is null) as "noDirector",
    (select count(*)::int from movies where release_date >= '2012-01-01') as "fromTheFuture",
    (select count(*)::int from bird_strikes where speed_knots is null) as "noSpeed",
    (select count(*)::int from airports where iata !~ '^[A-Z]{3}$') as "noIata"`;
  expect(flaws).toEqual({ noDirector: 1331, fromTheFuture: 22, noSpeed: 2836, noIata: 1336 });
});

test("the replayed feed reaches the present, and catches up without duplicates", async () => {
  const newest = async () =>
    (
      await warehouse`select count(*)::int as rows, extract(epoch from now() - max(recorded_at))::float8 as age from departures`
    )[0];
  const before = await newest();
  expect(before?.age).toBeLessThan(24);
  // 48 hours, one every 12 seconds: 14,400, give or take the ends.
  expect(Math.abs(before?.rows - 14_400)).toBeLessThanOrEqual(3);
  await warehouse`delete from departures where recorded_at > now() - interval '1 hour'`;
  await replayFlights(warehouse);
  await replayFlights(warehouse);
  const after = await newest();
  expect(after?.age).toBeLessThan(24);
  expect(Math.abs(after?.rows - 14_400)).toBeLessThanOrEqual(3);
});

test("the demo's login can read but not write", async () => {
  const { host, port, database, user, password } = reader;
  const login = postgres({ host, port, database, user, password, max: 1 });
  expect(await login`select count(*)::int as n from airports`).toEqual([{ n: 3376 }]);
  await expect(login`delete from airports`).rejects.toMatchObject({ code: "42501" });
  await expect(login`create table mine (n int)`).rejects.toMatchObject({ code: "42501" });
  await login.end();
});
