import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { forgetConnection } from "./db/answers.ts";
import { sql } from "./db/client.ts";
import { watchReadiness } from "./readiness.ts";
import { type DatabaseProxy, databaseProxy } from "./test/database-proxy.ts";

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

const aWatch = (lastLook: () => number | null = () => null) => watchReadiness(lastLook);
/** What somebody is told who was told something else a second ago. */
const hindrance = async () => (await aWatch().readiness()).hindrance;

test("with a database that answers and has its tables, requests can be served", async () => {
  expect(await aWatch().readiness()).toEqual({ hindrance: null, jobs: "inngest" });
});

test("a database that has stopped is a hindrance until it is back", async () => {
  expect(await hindrance()).toBeNull();
  await database.close();
  expect(await hindrance()).toBe("database");
  expect(await hindrance()).toBe("database");
  await database.open();
  expect(await hindrance()).toBeNull();
});

test("a database that does not answer is told of within three seconds, and so is its return", async () => {
  expect(await hindrance()).toBeNull();
  database.block();
  const asked = Date.now();
  expect(await hindrance()).toBe("database");
  expect(Date.now() - asked).toBeLessThan(3000);
  await database.open();
  expect(await hindrance()).toBeNull();
});

test("a database without the newest migration is a hindrance, and one with a newer is none", async () => {
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

test("however often somebody asks, the database is asked once in a second", async () => {
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

test("a service that stops says so, and asks nobody", async () => {
  const watch = aWatch();
  watch.stopping();
  expect((await watch.readiness()).hindrance).toBe("stopping");
  expect(database.connections()).toBe(0);
});

test("an engine that has not looked for work for more than a minute is stuck, which is no hindrance", async () => {
  const now = Date.now();
  expect(await aWatch(() => now - 59_000).readiness()).toEqual({ hindrance: null, jobs: "running" });
  expect(await aWatch(() => now - 61_000).readiness()).toEqual({ hindrance: null, jobs: "stuck" });
});
