import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { users } from "../../auth/tables.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db } from "../../db/client.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { rest } from "../../test/rest-client.ts";
import { queryHistory } from "../tables.ts";
import { clearHistory, keepingHistory, listHistory, removeOldHistory } from "./history.ts";
import { previewUnsaved } from "./previews.ts";

let source: { id: number; name: string };
let ada: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  source = await aDataSource();
  ada = await asEditor();
  bob = await asEditor();
});
afterAll(closeSources);

const run = (ctx: SignedIn, text: string, parameters: Record<string, string> = {}) => {
  const input = { dataSourceId: source.id, sql: text, parameters };
  return keepingHistory(ctx, input, () => previewUnsaved(ctx, input));
};
const historyOf = async (ctx: SignedIn, search?: string) =>
  (await listHistory(ctx, { page: 0, pageSize: 20, ...(search && { search }) })).items;

test("keeps the SQL, when, how long, and how many rows, but no values", async () => {
  const secret = "a value that nobody keeps";
  await run(ada, "select {{secret}}::text as said", { secret });
  const [entry] = await historyOf(ada);
  expect(entry).toMatchObject({
    ...{ sql: "select {{secret}}::text as said", rowCount: 1, problem: null },
    dataSource: { id: source.id, name: source.name },
    ranAt: expect.any(Date),
    tookMs: expect.any(Number),
  });
  const stored = await db.execute(sql`select to_jsonb(h)::text as row from query_history h`);
  expect(JSON.stringify(stored)).not.toContain(secret);
});

test("a failure is kept by its kind, since its message may repeat values", async () => {
  await expect(run(ada, "select {{x}}::int", { x: "private 17" })).rejects.toThrow("private 17");
  const [entry] = await historyOf(ada);
  expect(entry).toMatchObject({ rowCount: null, problem: "rejected" });
  const stored = await db.execute(sql`select to_jsonb(h)::text as row from query_history h`);
  expect(JSON.stringify(stored)).not.toContain("private 17");
});

test("what never ran is not kept", async () => {
  const before = await historyOf(ada);
  await expect(run(ada, "select {{missing}}")).rejects.toThrow("is required");
  expect(await historyOf(ada)).toEqual(before);
});

test("only its owner sees it, newest first, and finds a part of it literally", async () => {
  await run(bob, "select 1 as first_of_bob");
  await run(bob, "select '100%' as second_of_bob");
  expect((await historyOf(bob)).map((entry) => entry.sql)).toEqual([
    "select '100%' as second_of_bob",
    "select 1 as first_of_bob",
  ]);
  expect((await historyOf(bob, "FIRST_of")).length).toBe(1);
  expect((await historyOf(bob, "0%")).length).toBe(1);
  expect((await historyOf(bob, "s%b")).length).toBe(0);
  expect((await historyOf(ada)).some((entry) => entry.sql.includes("bob"))).toBe(false);
});

test("steps are kept with their names, and one step alone by its own text", async () => {
  const steps = [
    { name: "Orders", dataSourceId: source.id, sql: "select 1 as one" },
    { sql: "select one from @@result1" },
  ];
  const whole = { steps, parameters: {} };
  await keepingHistory(bob, whole, () => previewUnsaved(bob, whole));
  const joined = { steps, stepOrder: 2, parameters: {} };
  await keepingHistory(bob, joined, () => previewUnsaved(bob, joined));
  const [last, before] = await historyOf(bob);
  expect(last).toMatchObject({ sql: "select one from @@result1", dataSource: null });
  expect(before?.sql).toBe("-- Orders\nselect 1 as one\n\n-- Step 2\nselect one from @@result1");
});

test("keys leave no history and cannot read any", async () => {
  const key = await aKey({ scopes: ["Admin"] });
  const before = await db.$count(queryHistory);
  const { status } = await rest("POST", "/queries/preview", {
    headers: key.headers,
    json: { dataSourceId: source.id, sql: "select 1" },
  });
  expect(status).toBe(200);
  expect(await db.$count(queryHistory)).toBe(before);
});

test("the last 200 of 30 days are kept", async () => {
  const values = Array.from({ length: 205 }, (_, number) => ({
    ...{ userId: ada.principal.userId, sql: `select ${number}`, ranAt: new Date(), tookMs: 1, rowCount: 1 },
  }));
  await db.insert(queryHistory).values(values);
  await run(ada, "select 'newest'");
  const all = await db
    .select()
    .from(queryHistory)
    .where(eq(queryHistory.userId, ada.principal.userId))
    .orderBy(queryHistory.id);
  expect(all.length).toBe(200);
  expect([all[0]?.sql, all.at(-1)?.sql]).toEqual(["select 6", "select 'newest'"]);

  const old = { ...values[0], sql: "old", ranAt: new Date(Date.now() - 31 * 86_400_000) };
  await db.insert(queryHistory).values(old as (typeof values)[number]);
  expect((await historyOf(ada, "old")).length).toBe(0);
  expect(await removeOldHistory(10)).toBe(1);
});

test("it can be cleared, and is removed with the user", async () => {
  const gone = await asEditor();
  const { userId } = gone.principal;
  await run(gone, "select 1");
  expect(await db.$count(queryHistory, eq(queryHistory.userId, userId))).toBe(1);
  await db.delete(users).where(eq(users.id, userId));
  expect(await db.$count(queryHistory, eq(queryHistory.userId, userId))).toBe(0);
  await clearHistory(ada);
  expect(await historyOf(ada)).toEqual([]);
  expect((await historyOf(bob)).length).toBeGreaterThan(0);
});
