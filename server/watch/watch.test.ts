import { randomBytes } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db } from "../db/client.ts";
import { listIncidentsInput } from "../incidents/schema.ts";
import { getIncident, listIncidents } from "../incidents/service/load-incidents.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../test/mysql.ts";
import { lookMinutes } from "./limits.ts";
import { listWatchedInput, setWatchInput } from "./schema.ts";
import { getWatched, listWatched } from "./service/load-watched.ts";
import { profileAll } from "./service/profile.ts";
import { runLook, runProfile } from "./service/run.ts";
import { addPoints } from "./service/series.ts";
import { expectAlert, getWatch, setWatch } from "./service/watch.ts";
import { watchedTables } from "./tables.ts";

/** Watches a database of its own, as the jobs do, at times that the tests choose. */

const name = `shop_${randomBytes(6).toString("hex")}`;
const { adminUrl } = inject("postgres");
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
let shop: postgres.Sql;
let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  await admin.unsafe(`create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  shop = postgres(url.href, { max: 1, onnotice: () => {} });
  ctx = await asAdmin();
});
afterAll(async () => {
  await closeSources();
  await shop.end();
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
});

// 200 orders a day for 60 days, one in fifty without an address; in a schema of its own.
const ordersOf = async (schema: string) => {
  await shop.unsafe(`
    create schema ${schema};
    create table ${schema}.orders (id int primary key, created_at timestamptz not null, status text, email text, total numeric(12, 2));
    create index on ${schema}.orders (created_at);
    insert into ${schema}.orders
    select n, now() - (n + 0.5) * interval '432 seconds', (array['open', 'paid', 'paid', 'void'])[n % 4 + 1],
      case when n % 50 > 0 then 'a' || n || '@example.com' end, 10 + n % 90
    from generate_series(0, 11999) as n`);
};

let schema: string;
let at: Date;
beforeEach(async () => {
  if (schema) await shop.unsafe(`drop schema ${schema} cascade`);
  schema = `s_${randomBytes(4).toString("hex")}`;
  await ordersOf(schema);
  source = await aDataSource({ connection: { database: name } });
});

async function watch(more: object = {}): Promise<void> {
  const { nextProfileAt } = await setWatch(
    ctx,
    setWatchInput.parse({ id: source.id, enabled: true, ...more }),
  );
  at = new Date(Number(nextProfileAt) + 1);
}
const look = (minutes = lookMinutes) => {
  at = new Date(at.getTime() + minutes * 60_000);
  return runLook(source.id, at);
};
const profile = () => runProfile(source.id, at);
async function table(tableName = "orders") {
  const found = await getWatched(ctx, { dataSourceId: source.id, schemaName: schema, tableName, days: 90 });
  if (!found) throw new Error("The table is not watched");
  return found;
}
const sentences = async (tableName?: string) =>
  (await table(tableName)).alerts.map(({ sentence }) => sentence);
/** In the tests' hours nothing arrives, which is told, too. */
const late = async () =>
  (await table()).alerts.filter(({ kind }) => kind === "Late").map(({ sentence }) => sentence);
const series = async (measure: string, columnName: string | null = null) =>
  (await table()).series.find((each) => each.measure === measure && each.columnName === columnName);

describe("a profile", () => {
  test("knows the days before from the table itself, and finds nothing on usual ones", async () => {
    await watch();
    expect(await look(0)).toEqual({ looked: true });
    expect(await profile()).toEqual({ looked: true });
    const { alerts, arrivalColumn } = await table();
    expect(arrivalColumn).toBe("created_at");
    expect(alerts).toEqual([]);
    const arrived = await series("NewRows");
    expect(arrived?.points.map(({ value }) => value)).toEqual(Array(59).fill(200));
    // A day is 200 rows, so an hour 8 or 9; of four weeks, the latest 400 hours are shown.
    const hours = (await series("HourRows"))?.points.map(({ value }) => value) ?? [];
    expect(hours).toHaveLength(400);
    expect(new Set(hours)).toEqual(new Set([8, 9]));
    expect(arrived?.usually).toMatch(/^usually 1\d\d to 2\d\d$/);
    expect((await series("Rows"))?.points).toMatchObject([{ value: 12_000, low: null }]);
    // 4 of 200 in a day.
    expect((await series("NullShare", "email"))?.points.at(-1)?.value).toBeCloseTo(0.02, 10);
    // Half of the rows are paid.
    expect((await series("TopShare", "status"))?.points.at(-1)?.value).toBe(0.5);
    expect(await series("Mean", "id")).toBeUndefined();
  });

  test("finds a day with half of the rows, and one with addresses missing", async () => {
    await shop.unsafe(
      `update ${schema}.orders set email = null where n_of(id)`.replace(
        "n_of(id)",
        "id < 200 and id % 3 = 0",
      ),
    );
    await shop.unsafe(`delete from ${schema}.orders where id < 200 and id % 2 = 1`);
    await watch();
    await look(0);
    await profile();
    const found = await sentences();
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^New rows in a day: 100, usually 1\d\d to 2\d\d$/);
    // 34 of the 100 even numbers below 200 are multiples of 6, and four more had none before: 0, 50, 100, 150.
    expect(found[1]).toMatch(/^Share of NULL in email: 3[67]%, usually [\d.]+% to [\d.]+%$/);
  });

  test("leads to an incident, which ends when someone says that it is expected", async () => {
    await shop.unsafe(`delete from ${schema}.orders where id < 200 and id % 2 = 1`);
    await watch();
    await look(0);
    await profile();
    const incidents = async () =>
      (await listIncidents(ctx, listIncidentsInput.parse({ projectId: source.projectId }))).items;
    const [incident] = await incidents();
    expect(incident).toMatchObject({ state: "Open", severity: "Medium", currentCount: 1 });
    expect(incident?.title).toMatch(`${schema}.orders: new rows in a day: 100, usually`);
    const { problems } = await getIncident(ctx, incident?.id ?? 0);
    expect(problems).toMatchObject([
      { subject: "Table", kind: "Unusual", path: `/catalog/${source.id}/${schema}/orders` },
    ]);
    const [alert] = (await table()).alerts;
    await expectAlert(await asEditor(), alert?.id ?? 0);
    expect((await incidents())[0]).toMatchObject({ state: "Resolved", currentCount: 0 });
    expect((await getIncident(ctx, incident?.id ?? 0)).problems[0]).toMatchObject({
      ended: "called expected",
    });
    await expect(expectAlert(ctx, alert?.id ?? 0)).rejects.toMatchObject({ code: "conflict" });
  });

  test("goes on the next day where its budget ended, and is due once a day", async () => {
    await shop.unsafe(
      `create table ${schema}.slow (id int); insert into ${schema}.slow select generate_series(1, 50)`,
    );
    await watch();
    await look(0);
    const budget = (budgetSeconds: number) =>
      profileAll({ id: source.id, timezone: "UTC", budgetSeconds }, at, at);
    const latest = async () => (await getWatch(ctx, source.id)).profile;
    await budget(0);
    expect(await latest()).toMatchObject({ tables: 0, tablesLeft: 2, statements: 0 });
    // Any statement takes longer than this, so it lasts for one table.
    await budget(1e-9);
    expect(await latest()).toMatchObject({ tables: 1, tablesLeft: 1 });
    expect([(await table("orders")).profiledAt, (await table("slow")).profiledAt]).toContain(null);
    // The one that was left comes next, and the other has had its turn.
    at = new Date(at.getTime() + 1);
    await profileAll({ id: source.id, timezone: "UTC", budgetSeconds: 1e-9 }, at, at);
    expect([(await table("orders")).profiledAt, (await table("slow")).profiledAt]).not.toContain(null);
    await profile();
    expect(await profile()).toEqual({ skipped: "It is not due" });
  });

  test("a number beyond double precision leaves the other tables as they are", async () => {
    await shop.unsafe(`
      create table ${schema}.a_broken (id int, price numeric);
      insert into ${schema}.a_broken select n, 1e300 * n from generate_series(1, 100) as n;
      update ${schema}.a_broken set price = price * 1e300`);
    await watch();
    await look(0);
    await profile();
    expect((await table("a_broken")).problem).toMatch(/^"1000/);
    expect((await table()).problem).toBeNull();
    expect((await table()).profiledAt).not.toBeNull();
  });
});

const newOrder = () =>
  shop.unsafe(
    `insert into ${schema}.orders select max(id) + 1, now() + (max(id) - 11998) * interval '1 second' from ${schema}.orders`,
  );

describe("a look", () => {
  test("notices that a table has not changed for longer than usual, and that it has again", async () => {
    await watch();
    await look(0);
    await profile();
    for (let n = 0; n < 17; n++) {
      await newOrder();
      await look();
    }
    expect((await series("Interval"))?.points.map(({ value }) => value)).toEqual(Array(16).fill(900));
    const before = await table();
    expect(before.lastChangeAt).toEqual(at);
    // Three tenths more than usual, and a look: 19.5 + 15 minutes.
    const { lateAfter } = before;
    expect((Number(lateAfter) - at.getTime()) / 60_000).toBeCloseTo(34.5, 0);
    for (let n = 0; n < 2; n++) await look();
    expect(await late()).toEqual([]);
    await look();
    expect(await late()).toEqual(["No change for 45 minutes, usually within 20 minutes"]);
    await newOrder();
    await look();
    expect(await late()).toEqual([]);
    expect((await table()).past).toContainEqual(expect.objectContaining({ kind: "Late", endedAt: at }));
  });

  test("after a pause of the service blames no table for it", async () => {
    await watch();
    await look(0);
    await profile();
    for (let n = 0; n < 17; n++) {
      await newOrder();
      await look();
    }
    await look(24 * 60);
    expect(await late()).toEqual([]);
    expect((await series("Interval"))?.points).toHaveLength(16);
  });

  test("notices columns that changed, and a table that is gone and comes back", async () => {
    await watch();
    await look(0);
    await shop.unsafe(
      `alter table ${schema}.orders drop column email, alter column total type double precision`,
    );
    await look(60);
    expect(await sentences()).toEqual([
      "Column email is gone; Column total is double precision, was numeric(12,2)",
    ]);
    // Tables that lived less than a day are not missed.
    await shop.unsafe(`create table ${schema}.fleeting (id int)`);
    await look(60);
    await shop.unsafe(`drop table ${schema}.fleeting; alter table ${schema}.orders rename to former`);
    await look(24 * 60);
    const listed = async () =>
      (await listWatched(ctx, listWatchedInput.parse({ dataSourceId: source.id }))).items.map(
        ({ tableName }) => tableName,
      );
    expect(await listed()).toEqual(["former"]);
    const [gone] = await db
      .select({ tableName: watchedTables.tableName, goneAt: watchedTables.goneAt })
      .from(watchedTables)
      .where(and(eq(watchedTables.dataSourceId, source.id), eq(watchedTables.tableName, "orders")));
    expect(gone?.goneAt).toEqual(at);
    expect(await sentences()).toContain("The table is gone");
    await shop.unsafe(`alter table ${schema}.former rename to orders`);
    await look(60);
    expect(await sentences()).not.toContain("The table is gone");
    expect(await listed()).toEqual(["orders"]);
  });

  test("counts a table once the server has said twice that most of it is gone", async () => {
    await watch();
    await flushed(`analyze ${schema}.orders`);
    await look(0);
    await profile();
    const [known] = await db
      .select()
      .from(watchedTables)
      .where(and(eq(watchedTables.dataSourceId, source.id), isNull(watchedTables.goneAt)));
    const days = Array.from({ length: 30 }, (_, n) => new Date(at.getTime() - (30 - n) * 86_400_000));
    await addPoints(
      days.map((day) => ({
        ...{ tableId: known?.id ?? 0, columnName: null, measure: "Rows" as const, at: day, value: 12_000 },
      })),
    );
    await flushed(`delete from ${schema}.orders; analyze ${schema}.orders`);
    await look();
    expect(await sentences()).toEqual([]);
    await look();
    expect(await sentences()).toEqual([expect.stringMatching(/^Rows: 0, usually 1\d,\d{3} to 1\d,\d{3}$/)]);
  });

  test("blames no table where the server stops keeping statistics, and still sees what an index says", async () => {
    await shop.unsafe(`create table ${schema}.plain (id int)`);
    await watch();
    await look(0);
    await profile();
    for (let n = 0; n < 17; n++) {
      await newOrder();
      await flushed(`insert into ${schema}.plain values (1)`);
      await look();
    }
    expect((await table("plain")).lateAfter).not.toBeNull();
    await shop.unsafe(`alter database ${name} set track_counts = off`);
    await closeSources();
    for (let n = 0; n < 6; n++) {
      await shop.unsafe(`insert into ${schema}.plain values (1)`);
      await look();
    }
    await shop.unsafe(`alter database ${name} reset track_counts`);
    await closeSources();
    expect(await sentences("plain")).toEqual([]);
    // Nobody ordered meanwhile, which its index says.
    expect(await late()).toEqual([expect.stringMatching(/^No change for 90 minutes/)]);
  });

  test("a thousand tables that come and go within an hour leave nothing behind", async () => {
    await watch();
    await look(0);
    await shop.unsafe(`do $$ begin for n in 1..1000 loop
      execute format('create table ${schema}.job_%s (id int)', n); end loop; end $$`);
    await look(60);
    const listed = async () =>
      (await listWatched(ctx, listWatchedInput.parse({ dataSourceId: source.id, pageSize: 1 }))).totalCount;
    expect(await listed()).toBe(1001);
    await shop.unsafe(`do $$ begin for n in 1..1000 loop
      execute format('drop table ${schema}.job_%s', n); end loop; end $$`);
    await look(60);
    expect(await listed()).toBe(1);
    const kept = await db.select().from(watchedTables).where(eq(watchedTables.dataSourceId, source.id));
    expect(kept.map(({ tableName }) => tableName)).toEqual(["orders"]);
    expect(await sentences()).toEqual([]);
  });

  test("a table that is emptied and filled again each night is no collapse, and no news", async () => {
    await watch();
    await flushed(`analyze ${schema}.orders`);
    await look(0);
    await profile();
    for (let night = 0; night < 3; night++) {
      await flushed(`create table ${schema}.aside as select * from ${schema}.orders; truncate ${schema}.orders;
        analyze ${schema}.orders`);
      // A look falls into the minutes in which it is empty.
      await look();
      await flushed(`insert into ${schema}.orders select * from ${schema}.aside; drop table ${schema}.aside;
        analyze ${schema}.orders`);
      await look();
    }
    expect(await sentences()).toEqual([]);
  });

  test("says why a source could not be looked at, and tries again", async () => {
    await watch();
    await shop.unsafe(`alter database ${name} connection limit 0`);
    const lost = await aDataSource({ connection: { database: "no_such_database" } });
    await setWatch(ctx, setWatchInput.parse({ id: lost.id, enabled: true }));
    expect(await runLook(lost.id, at)).toMatchObject({ skipped: expect.any(String) });
    expect((await getWatch(ctx, lost.id)).problem).toMatch(/database/);
    await shop.unsafe(`alter database ${name} connection limit -1`);
    expect(await look(0)).toEqual({ looked: true });
    expect((await getWatch(ctx, source.id)).problem).toBeNull();
  });
});

/** The counters of a connection reach the server's statistics with a delay, unless it is told to. */
async function flushed(statement: string): Promise<void> {
  await shop.unsafe(statement);
  await shop.unsafe("select pg_stat_force_next_flush()");
  await shop.unsafe("select 1");
}

test("switched off, nothing is looked at, and what costs is shown before and after", async () => {
  const before = await getWatch(ctx, source.id);
  expect(before).toMatchObject({ enabled: false, look: null, profile: null });
  await watch({ timezone: "Europe/Berlin", nightHour: 4 });
  await look(0);
  await profile();
  const on = await getWatch(ctx, source.id);
  expect(on).toMatchObject({ enabled: true, tableCount: 1, unusualCount: 0, problem: null });
  expect(on.look).toMatchObject({ tables: 1, statements: 1, rowsRead: 0 });
  expect(on.profile?.rowsRead).toBeGreaterThanOrEqual(12_000);
  expect(on.expected.rowsPerProfile).toBeGreaterThanOrEqual(0);
  const next = on.nextProfileAt as unknown as Date;
  expect(
    new Intl.DateTimeFormat("en", { timeZone: "Europe/Berlin", hour: "numeric", hourCycle: "h23" }).format(
      next,
    ),
  ).toBe("04");
  await setWatch(ctx, setWatchInput.parse({ id: source.id, enabled: false }));
  expect(await look()).toEqual({ skipped: "It is not watched anymore" });
  expect(
    await getWatched(ctx, { dataSourceId: source.id, schemaName: schema, tableName: "orders", days: 90 }),
  ).toBeNull();
});

test("a table of MariaDB is looked at and profiled the same way", async () => {
  await mysql.query(
    `
    create table orders (id int primary key, created_at datetime not null, status varchar(20), total decimal(12, 2), key (created_at));
    insert into orders
    select seq, utc_timestamp() - interval (seq * 432 + 216) second, elt(seq mod 4 + 1, 'open', 'paid', 'paid', null), 10 + seq mod 90
    from seq_0_to_11999;
    delete from orders where seq_of(id)`.replace("seq_of(id)", "id < 200 and id mod 2 = 1"),
  );
  source = await aDataSource({ kind: "MySql", connection: mysqlConnection });
  schema = mysqlConnection.database;
  await watch();
  await look(0);
  await profile();
  expect((await table()).arrivalColumn).toBe("created_at");
  expect(await sentences()).toEqual([
    expect.stringMatching(/^New rows in a day: 100, usually 1\d\d to 2\d\d$/),
    expect.stringMatching(/^Share of NULL in status/),
  ]);
  await mysql.query("insert into orders values (20000, utc_timestamp() + interval 1 second, 'open', 1)");
  await look();
  expect((await table()).lastChangeAt).toEqual(at);
  schema = "";
});
