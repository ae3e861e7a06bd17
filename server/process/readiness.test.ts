import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { forgetConnection } from "../db/answers.ts";
import { sql } from "../db/client.ts";
import { type DatabaseProxy, databaseProxy } from "../test/database-proxy.ts";
import { watchReadiness } from "./readiness.ts";

let database: DatabaseProxy;
const own = process.env.DATABASE_URL ?? "";

beforeEach(async () => {
  database = await databaseProxy(own);
  process.env.DATABASE_URL = database.url;
});
afterEach(async () => {
  vi.useRealTimers();
  await forgetConnection();
  await database.close();
});
afterAll(() => {
  process.env.DATABASE_URL = own;
});

const aWatch = (lastPoll: () => number | null = () => null) => watchReadiness(lastPoll);
/** A new watch each time, as if the result that is kept for a second had expired. */
const hindrance = async () => (await aWatch().readiness()).hindrance;

test("with a responding and migrated database, requests can be served", async () => {
  expect(await aWatch().readiness()).toEqual({ hindrance: null, jobs: "inngest" });
});

test("a stopped database makes it unready until it is back", async () => {
  expect(await hindrance()).toBeNull();
  await database.close();
  expect(await hindrance()).toBe("database");
  expect(await hindrance()).toBe("database");
  await database.open();
  expect(await hindrance()).toBeNull();
});

test("an unresponsive database is detected within three seconds, and so is its return", async () => {
  expect(await hindrance()).toBeNull();
  database.block();
  const asked = Date.now();
  expect(await hindrance()).toBe("database");
  expect(Date.now() - asked).toBeLessThan(3000);
  await database.open();
  expect(await hindrance()).toBeNull();
});

test("a database without the newest migration makes it unready, one with a newer does not", async () => {
  const [newest] =
    await sql`select id, created_at from drizzle.__drizzle_migrations order by created_at desc limit 1`;
  const setTo = (moment: number) =>
    sql`update drizzle.__drizzle_migrations set created_at = ${moment} where id = ${newest?.id}`;
  onTestFinished(async () => {
    await setTo(newest?.created_at);
  });
  await setTo(1);
  expect(await hindrance()).toBe("migrations");
  await setTo(Number(newest?.created_at) + 1);
  expect(await hindrance()).toBeNull();

  await sql`alter schema drizzle rename to elsewhere`;
  onTestFinished(async () => {
    await sql`alter schema elsewhere rename to drizzle`;
  });
  expect(await hindrance()).toBe("migrations");
});

test("the database is checked at most once a second, however often someone asks", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const watch = aWatch();
  await Promise.all(Array.from({ length: 500 }, () => watch.readiness()));
  expect(database.connections()).toBe(1);

  await database.close();
  expect((await watch.readiness()).hindrance).toBeNull();
  vi.setSystemTime(Date.now() + 999);
  expect((await watch.readiness()).hindrance).toBeNull();
  vi.setSystemTime(Date.now() + 1);
  expect((await watch.readiness()).hindrance).toBe("database");
});

test("a stopping service reports so, without checking", async () => {
  const watch = aWatch();
  watch.stopping();
  expect((await watch.readiness()).hindrance).toBe("stopping");
  expect(database.connections()).toBe(0);
});

test("an engine that has not polled for more than a minute is stuck, which does not affect readiness", async () => {
  const now = Date.now();
  expect(await aWatch(() => now - 59_000).readiness()).toEqual({ hindrance: null, jobs: "running" });
  expect(await aWatch(() => now - 61_000).readiness()).toEqual({ hindrance: null, jobs: "stuck" });
});
