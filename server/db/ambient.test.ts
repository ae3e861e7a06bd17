import { eq, sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { Problem } from "../errors.ts";
import { projects } from "../projects/tables.ts";
import { afterCommit, rejectInTransaction } from "./ambient.ts";
import { db, inOneTransaction, sql as pool } from "./client.ts";
import { runPrepared } from "./prepared.ts";

const add = (name: string) => db.insert(projects).values({ name });
/** As seen from another connection. */
const names = async () => (await pool`select name from projects order by name`).map(({ name }) => name);

afterEach(() => db.delete(projects));

test("everything inside is committed together, and others see nothing before that", async () => {
  await inOneTransaction(async () => {
    await add("a");
    await db.transaction((tx) => tx.insert(projects).values({ name: "b" }));
    expect(await db.$count(projects)).toBe(2);
    expect(await names()).toEqual([]);
  });
  expect(await names()).toEqual(["a", "b"]);
});

test("an error rolls back everything, including inner transactions", async () => {
  const work = inOneTransaction(async () => {
    await add("a");
    await db.transaction((tx) => tx.insert(projects).values({ name: "b" }));
    throw new Problem("conflict", "Not now");
  });
  await expect(work).rejects.toMatchObject({ code: "conflict" });
  expect(await names()).toEqual([]);
});

test("an inner transaction that fails is rolled back alone, including what it calls", async () => {
  await inOneTransaction(async () => {
    await add("a");
    const inner = db.transaction(async () => {
      await add("b");
      await db.execute(sql`select 1 / 0`);
    });
    await expect(inner).rejects.toThrow();
    await add("c");
  });
  expect(await names()).toEqual(["a", "c"]);
});

test("a nested call joins the outer transaction", async () => {
  const outer = inOneTransaction(async () => {
    await inOneTransaction(() => add("a"));
    throw new Error("The outer one fails");
  });
  await expect(outer).rejects.toThrow();
  expect(await names()).toEqual([]);
});

test("concurrent calls outside are not part of it", async () => {
  const isOpen = Promise.withResolvers<void>();
  const isSeen = Promise.withResolvers<void>();
  const work = inOneTransaction(async () => {
    await add("inside");
    isOpen.resolve();
    await isSeen.promise;
    throw new Error("It fails in the end");
  });
  await isOpen.promise;
  await add("beside");
  isSeen.resolve();
  await expect(work).rejects.toThrow();
  expect(await names()).toEqual(["beside"]);
});

test("effects run after commit, once others can see the change, and not after rollback", async () => {
  const seen: Promise<string[]>[] = [];
  const look = () => void seen.push(names());
  await inOneTransaction(async () => {
    afterCommit(look);
    await add("a");
    expect(seen).toEqual([]);
  });
  await inOneTransaction(async () => {
    afterCommit(look);
    throw new Error("It fails");
  }).catch(() => {});
  afterCommit(look);
  expect(await Promise.all(seen)).toEqual([["a"], ["a"]]);
});

test("background work that it leaves behind is on its own once it is over", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left: Promise<unknown> = Promise.resolve();
  await inOneTransaction(async () => {
    left = promise.then(() => add("later"));
    throw new Error("It fails");
  }).catch(() => {});
  resolve();
  await left;
  expect(await names()).toEqual(["later"]);
});

test("statements that do not know of a transaction need no second connection, though all are taken", async () => {
  const size = Number(process.env.DATABASE_POOL ?? 10);
  /** Resolves once it has been called by each of the transactions. */
  const allAreHere = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let here = 0;
    return () => {
      here += 1;
      if (here === size) resolve();
      return promise;
    };
  };
  const [haveWritten, haveRead] = [allAreHere(), allAreHere()];
  const works = Array.from({ length: size }, (_, index) =>
    db.transaction(async (tx) => {
      await tx.insert(projects).values({ name: `${index}` });
      await haveWritten();
      const seen = await db.$count(projects);
      await haveRead();
      return seen;
    }),
  );
  // Each sees its own row alone.
  expect(await Promise.all(works)).toEqual(works.map(() => 1));
  expect(await db.$count(projects)).toBe(size);
});

test("effects within a transaction that Drizzle began wait for its commit, too", async () => {
  const seen: Promise<string[]>[] = [];
  await db.transaction(async (tx) => {
    afterCommit(() => void seen.push(names()));
    await tx.insert(projects).values({ name: "a" });
    expect(seen).toEqual([]);
  });
  expect(await Promise.all(seen)).toEqual([["a"]]);
});

test("a statement that needs a connection of its own is refused inside, rather than waiting for one", async () => {
  const one = () => runPrepared(sql`select 1 as one`);
  await expect(db.transaction(one)).rejects.toThrow("must not be waited for inside a transaction");
  expect(await one()).toEqual([{ one: 1 }]);
});

test("nothing inside may wait for another machine", async () => {
  const work = inOneTransaction(async () => rejectInTransaction("A data source"));
  await expect(work).rejects.toThrow("A data source must not be waited for inside a transaction");
  rejectInTransaction("A data source");
});

test("a lost connection rolls it back, and its place in the pool becomes usable again", async () => {
  const size = Number(process.env.DATABASE_POOL ?? 10);
  for (let lost = 0; lost < size; lost++) {
    const work = inOneTransaction(async () => {
      await add("lost");
      await db.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    await expect(work).rejects.toThrow();
  }
  // The driver may report the lost connection to the next statement on each.
  await Promise.allSettled(Array.from({ length: size }, () => db.execute(sql`select pg_sleep(0.05)`)));
  await Promise.all(Array.from({ length: size }, () => db.execute(sql`select pg_sleep(0.05)`)));
  expect(await db.$count(projects, eq(projects.name, "lost"))).toBe(0);
});
