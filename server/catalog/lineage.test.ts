import { afterAll, beforeAll, expect, test } from "vitest";
import { evaluateContract } from "../data-quality/service/evaluate.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../data-sources/service/read-schema.ts";
import { sql } from "../db/client.ts";
import { noticeIncidents } from "../incidents/service/notice.ts";
import { refreshLineage } from "../lineage/service/refresh.ts";
import { aContract, aRule } from "../test/factories/contracts.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aSession } from "../test/factories/sessions.ts";
import { aTableAlert } from "../test/factories/watch.ts";
import { rest } from "../test/rest-client.ts";

let source: Awaited<ReturnType<typeof aDataSource>>;
let cookie: string;

beforeAll(async () => {
  await sql.unsafe(`
    create schema shop;
    create table shop.orders (id int primary key, total numeric);
    insert into shop.orders values (1, 10), (2, null);
    create view shop.facts as select id, total from shop.orders;`);
  source = await aDataSource();
  await refreshSchema(await asAdmin(), source.id);
  await aQuery({ name: "Totals", dataSource: source, sql: "select total from shop.facts" });
  await refreshLineage(source.id);
  cookie = await aSession("Viewer");
});
afterAll(closeSources);

const get = (query: Record<string, string | number> = {}) => {
  const all = { dataSourceId: source.id, schemaName: "shop", tableName: "facts", ...query };
  const words = Object.entries(all).map(([name, value]) => [name, String(value)]);
  return rest("GET", `/lineage?${new URLSearchParams(words)}`, { cookie });
};

test("a table's lineage has incidents, scores, and what is watched", async () => {
  const contract = await aContract({
    ...{ dataSourceId: source.id, schemaName: "shop", tableName: "facts" },
    rules: [aRule("NullRate", { column: "total", maxNullPercent: 0 })],
  });
  await evaluateContract(await asEditor(), contract.id);
  const alert = { dataSourceId: source.id, schemaName: "shop", tableName: "orders" };
  await aTableAlert({
    ...alert,
    openedAt: new Date(Date.now() - 3_600_000),
    sentence: "Rows: 2, usually 90",
  });
  await noticeIncidents();
  const { status, body } = await get();
  expect(status).toBe(200);
  expect(body.nodes.map(({ name }: { name: string }) => name)).toEqual([
    "shop.orders",
    "shop.facts",
    "Totals",
  ]);
  const [orders, facts, totals] = body.nodes;
  expect(orders).toMatchObject({
    ...{ step: -1, kind: "Table", isWatched: true, alertCount: 1, qualityScore: null },
    path: `/catalog/${source.id}/shop/orders`,
  });
  // Both began within a day, and one is made from the other: one incident, the table that it began at first.
  expect(orders.incident).toMatchObject({
    title: "2 problems of shop.orders and 1 table made from it",
  });
  expect(facts).toMatchObject({
    step: 0,
    kind: "View",
    isWatched: false,
    incident: { id: orders.incident.id },
  });
  expect(facts.qualityScore).toBeLessThan(80);
  expect(totals).toMatchObject({ step: 1, kind: "Query", dataSourceId: null, incident: null });
  expect(body.edges).toHaveLength(2);
  expect(body.readAt).not.toBeNull();
});

test("bad input and data sources of others are told", async () => {
  expect((await get({ depth: 6 })).status).toBe(400);
  expect((await get({ direction: "Sideways" })).status).toBe(400);
  expect((await get({ dataSourceId: source.id + 1000 })).status).toBe(404);
  const { status, body } = await get({ tableName: "nowhere" });
  expect([status, body.nodes.length, body.nodes[0].kind]).toEqual([200, 1, null]);
});
