import { Socket } from "node:net";
import { sql as text } from "drizzle-orm";
import { integer, pgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { db, sql } from "./client.ts";
import { inOneGo, sideBySide } from "./in-one-go.ts";

const kept = pgTable("kept_in_one_go", { value: integer() });
beforeAll(async () => {
  await sql`create table kept_in_one_go (value integer not null)`;
  await sql`insert into kept_in_one_go values (1)`;
});
afterAll(() => sql`drop table kept_in_one_go`);

const lock = text`select pg_advisory_xact_lock(hashtextextended('in one go', 0))`;

/** How many sessions wait for an advisory lock. */
async function waiting(): Promise<number> {
  const [row] =
    await sql`select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted`;
  return row?.count ?? 0;
}

// The connection learns both statements the first time, and sends them without asking from then on.
test.each(["unknown to the connection", "known to it"])(
  "what is read after a lock, %s, is read behind it",
  async () => {
    await db.update(kept).set({ value: 1 });
    const isLocked = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const writer = db.transaction(async (tx) => {
      await tx.execute(lock);
      isLocked.resolve();
      await mayCommit.promise;
      await tx.update(kept).set({ value: 2 });
    });
    await isLocked.promise;
    const reader = db.transaction(async (tx) => {
      const [, rows, [first]] = await inOneGo(
        tx.execute(lock),
        tx.select().from(kept),
        tx.execute<{ value: number }>(text`select value from kept_in_one_go`),
      );
      return [rows, first];
    });
    await expect.poll(waiting).toBe(1);
    mayCommit.resolve();
    await writer;
    expect(await reader).toEqual([[{ value: 2 }], { value: 2 }]);
  },
);

test("what fails rejects the transaction, with its own error", async () => {
  const failing = db.transaction((tx) =>
    inOneGo(
      tx.insert(kept).values({ value: 3 }),
      tx.execute(text`select 1 / 0`),
      tx.insert(kept).values({ value: 4 }),
    ),
  );
  await expect(failing).rejects.toMatchObject({ cause: { message: "division by zero" } });
  expect(await db.select().from(kept)).toEqual([{ value: 2 }]);
});

test("of what is done side by side, all has ended before the transaction is rolled back, which fails as the first did", async () => {
  const slow = Promise.withResolvers<unknown>();
  const failing = db.transaction((tx) => {
    const asks = async () => {
      await tx.select().from(kept);
      await new Promise(setImmediate);
      // Would be stored for good if the transaction were over.
      await tx.insert(kept).values({ value: 5 });
      throw new Error("a later failure");
    };
    const asked = asks();
    asked.then(slow.resolve, slow.resolve);
    return sideBySide(asked, Promise.reject(new Error("the first failure")));
  });
  await expect(failing).rejects.toThrow("the first failure");
  expect(await slow.promise).toEqual(new Error("a later failure"));
  expect(await db.select().from(kept)).toEqual([{ value: 2 }]);
  const both = await db.transaction((tx) => sideBySide(tx.select().from(kept), false, Promise.resolve("x")));
  expect(both).toEqual([[{ value: 2 }], false, "x"]);
});

test("they go in one write", async () => {
  const write = vi.spyOn(Socket.prototype, "write");
  onTestFinished(() => write.mockRestore());
  const two = () =>
    db.transaction(async (tx) => {
      await tx.execute(lock);
      write.mockClear();
      await inOneGo(tx.select().from(kept), tx.select({ value: kept.value }).from(kept).limit(1));
      return write.mock.calls.length;
    });
  // Once on each connection, which learns them.
  await Promise.all(Array.from({ length: 10 }, two));
  expect(await two()).toBe(1);
});
