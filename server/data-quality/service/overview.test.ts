import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { db, sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { tableScores } from "../evaluations/tables.ts";
import { archiveContract } from "./contracts.ts";
import { evaluateContract } from "./evaluate.ts";
import { getOverview } from "./overview.ts";
import { getTableHistory } from "./shown-scores.ts";

/** The overview as a map of tables: who watches which, how they got their scores, and what nobody watches. */

let ctx: SignedIn;

beforeAll(async () => {
  ctx = await asAdmin();
  await sql.unsafe(`
    create schema shop;
    create table shop.orders (id int);
    create table shop.customers (id int);
    create table shop.forgotten (id int);
    create view shop.seen as select 1 as one;
    create table shop.verdict (score numeric);
    insert into shop.verdict values (100)`);
});

afterAll(closeSources);

const scoredBySql = aRule("CustomSql", { sql: "select 1 as passed, score from shop.verdict" });
const inShop = (dataSourceId: number, tableName: string, name: string) =>
  aContract({ dataSourceId, schemaName: "shop", tableName, name, rules: [scoredBySql] }, ctx);
async function scored(contract: { id: number }, score: number) {
  await sql`update shop.verdict set score = ${score}`;
  return evaluateContract(ctx, contract.id);
}
const overviewOf = async (dataSourceId: number) => (await getOverview(ctx, { dataSourceId })).items[0];

test("a table has its contracts, its latest evaluation, and the previous scores", async () => {
  const { id } = await aDataSource();
  const late = await inShop(id, "orders", "Orders: late");
  const early = await inShop(id, "orders", "Orders: early");
  const waiting = await inShop(id, "customers", "Customers");
  await scored(late, 90);
  await scored(early, 70.5);
  const latest = await scored(late, 80);
  const source = await overviewOf(id);
  expect(source?.tables).toMatchObject([
    {
      tableName: "orders",
      currentScore: 80,
      evaluationId: latest.id,
      contractCount: 2,
      contracts: [
        { id: early.id, name: "Orders: early", enabled: true },
        { id: late.id, name: "Orders: late", enabled: true },
      ],
    },
  ]);
  const history = source?.tables[0]?.history ?? [];
  expect(history.map(({ score }) => score)).toEqual([90, 70.5, 80]);
  expect(history.at(-1)?.evaluatedAt).toBe(latest.evaluatedAt?.toISOString());
  expect(source?.unevaluated).toEqual([
    {
      schemaName: "shop",
      tableName: "customers",
      contracts: [{ id: waiting.id, name: "Customers", enabled: true }],
      contractCount: 1,
    },
  ]);

  // Evaluations of an archived contract no longer count.
  await archiveContract(ctx, early.id);
  const after = await overviewOf(id);
  expect(after?.tables).toMatchObject([{ contractCount: 1 }]);
  expect(after?.tables[0]?.history.map(({ score }) => score)).toEqual([90, 80]);
});

test("only the latest thirty evaluations are included", async () => {
  const { id } = await aDataSource();
  const contract = await inShop(id, "orders", "Orders");
  for (let score = 0; score < 33; score += 1) await scored(contract, score);
  const source = await overviewOf(id);
  expect(source?.tables[0]?.history.map(({ score }) => score)).toEqual(
    Array.from({ length: 30 }, (_, index) => index + 3),
  );
});

test("the histories of more tables than asked for are left out, and each can be asked for", async () => {
  const { id } = await aDataSource();
  for (const tableName of ["orders", "customers"]) {
    const contract = await inShop(id, tableName, tableName);
    await scored(contract, 60);
    await scored(contract, 75);
  }
  const historiesUpTo = async (count: number) => {
    const { items } = await getOverview(ctx, { dataSourceId: id, historiesUpTo: count });
    return items[0]?.tables.map(({ currentScore, history }) => [
      currentScore,
      history.map(({ score }) => score),
    ]);
  };
  const of = [75, [60, 75]];
  expect(await historiesUpTo(2)).toEqual([of, of]);
  expect(await historiesUpTo(1)).toEqual([
    [75, []],
    [75, []],
  ]);

  const orders = { dataSourceId: id, schemaName: "shop", tableName: "orders" };
  const inOverview = (await overviewOf(id))?.tables.find(({ tableName }) => tableName === "orders")?.history;
  expect(await getTableHistory(ctx, orders)).toEqual({ items: inOverview });
  expect(inOverview).toHaveLength(2);
  expect(await getTableHistory(ctx, { ...orders, tableName: "forgotten" })).toEqual({ items: [] });
  await expect(getTableHistory(await asAdmin({ projectIds: [] }), orders)).rejects.toThrow(
    "Data source not found",
  );
});

test("coverage uses the schema as last read, and the current contracts", async () => {
  const { id } = await aDataSource();
  expect(await overviewOf(id)).toMatchObject({ coverage: null, tables: [], unevaluated: [] });
  const { readAt } = await refreshSchema(ctx, id);
  const before = await overviewOf(id);
  expect(before?.coverage).toMatchObject({ readAt, coveredCount: 0 });

  const contract = await inShop(id, "orders", "Orders");
  const other = await inShop(id, "orders", "Orders again");
  await inShop(id, "gone", "Of a table that was dropped");
  const inShopOnly = async () =>
    (await overviewOf(id))?.coverage?.uncovered.filter(({ schemaName }) => schemaName === "shop");
  expect((await overviewOf(id))?.coverage).toMatchObject({
    tableCount: before?.coverage?.tableCount,
    coveredCount: 1,
  });
  expect((await inShopOnly())?.map(({ tableName, kind }) => [tableName, kind])).toEqual([
    ["customers", "Table"],
    ["forgotten", "Table"],
    ["verdict", "Table"],
    ["seen", "View"],
  ]);
  await archiveContract(ctx, contract.id);
  await archiveContract(ctx, other.id);
  expect((await inShopOnly())?.map(({ tableName }) => tableName)).toContain("orders");

  await sql.unsafe("drop table shop.forgotten");
  await refreshSchema(ctx, id);
  expect((await inShopOnly())?.map(({ tableName }) => tableName)).not.toContain("forgotten");
});

test("scores from before a migration are in the history", async () => {
  const { id } = await aDataSource();
  const contract = await inShop(id, "orders", "Orders");
  for (const score of [10, 20.5]) await scored(contract, score);
  const before = (await overviewOf(id))?.tables[0]?.history;
  await db.update(tableScores).set({ history: [] }).where(eq(tableScores.dataSourceId, id));
  const migration = readFileSync(new URL("../../../drizzle/0018_table-history.sql", import.meta.url), "utf8");
  await sql.unsafe(migration.slice(migration.indexOf("UPDATE")));
  expect((await overviewOf(id))?.tables[0]?.history).toEqual(before);
});
