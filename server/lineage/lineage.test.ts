import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../data-sources/service/read-schema.ts";
import { db, sql } from "../db/client.ts";
import { archiveQuery } from "../queries/service/archive.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { refreshLineage, sourcesWithChangedQueries } from "./service/refresh.ts";
import { storeEdges } from "./service/store-edges.ts";
import { type Walk, walkLineage } from "./service/walk.ts";

/** shop.orders and shop.customers → shop.order_facts → shop.revenue, shop.revenue_kept (materialized) → a query. */
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  await sql.unsafe(`
    create schema shop;
    create table shop.customers (id int primary key, country text);
    create table shop.orders (id int primary key, customer_id int references shop.customers (id), total numeric);
    create view shop.order_facts as
      select o.id, o.total * 2 as doubled, c.country
      from (shop.orders o join shop.customers c on c.id = o.customer_id) where o.total > 0;
    create view shop.revenue as select country, sum(doubled) as revenue from shop.order_facts group by country;
    create materialized view shop.revenue_kept as select * from shop.revenue;`);
  source = await aDataSource();
  await refreshSchema(await asAdmin(), source.id);
  await refreshLineage(source.id);
});
afterAll(closeSources);

const walk = async (tableName: string, options: Partial<Walk> = {}) => {
  const { nodes, edges, omitted } = await walkLineage({
    start: { dataSourceId: source.id, schemaName: "shop", tableName },
    ...{ direction: "Both", depth: 5, foreignKeys: false, ...options },
  });
  const nameOf = (key: string) => {
    const node = nodes.find((each) => each.key === key);
    return node && "tableName" in node ? node.tableName : `query ${node?.queryId}`;
  };
  return {
    omitted,
    nodes: nodes.map((node) => `${node.step} ${nameOf(node.key)}`).sort(),
    edges: edges.map(({ from, to, via }) => `${nameOf(from)} → ${nameOf(to)} by ${via}`).sort(),
    columns: (from: string, to: string) =>
      edges
        .find((edge) => nameOf(edge.from) === from && nameOf(edge.to) === to)
        ?.columns.map((pair) => `${pair.from} → ${pair.to}`)
        .sort(),
    hasMore: nodes.filter((node) => node.hasMore).map(({ key }) => nameOf(key)),
    all: edges,
  };
};

test("views come from what their SQL reads, step by step", async () => {
  const { nodes, edges } = await walk("orders");
  expect(nodes).toEqual(["0 orders", "1 order_facts", "2 revenue", "3 revenue_kept"]);
  expect(edges).toEqual([
    "order_facts → revenue by View",
    "orders → order_facts by View",
    "revenue → revenue_kept by View",
  ]);
  expect((await walk("revenue")).nodes).toEqual([
    "-1 order_facts",
    "-2 customers",
    "-2 orders",
    "0 revenue",
    "1 revenue_kept",
  ]);
});

test("columns, too, and those that only decide which rows there are", async () => {
  const facts = await walk("order_facts");
  expect(facts.columns("orders", "order_facts")).toEqual([
    "customer_id → null",
    "id → id",
    "total → doubled",
  ]);
  expect(facts.columns("customers", "order_facts")).toEqual(["country → country", "id → null"]);
  const total = await walk("orders", { columnName: "total" });
  expect(total.nodes).toEqual(["0 orders", "1 order_facts", "2 revenue", "3 revenue_kept"]);
  expect((await walk("orders", { columnName: "id" })).nodes).toEqual(["0 orders", "1 order_facts"]);
  expect((await walk("orders", { columnName: "customer_id" })).nodes).toEqual(["0 orders"]);
});

test("depth and direction limit it, and it says where there is more", async () => {
  const near = await walk("order_facts", { depth: 1 });
  expect(near.nodes).toEqual(["-1 customers", "-1 orders", "0 order_facts", "1 revenue"]);
  expect(near.hasMore).toEqual(["revenue"]);
  expect((await walk("order_facts", { direction: "Upstream" })).nodes).toEqual([
    "-1 customers",
    "-1 orders",
    "0 order_facts",
  ]);
});

test("foreign keys count if they are asked for", async () => {
  expect((await walk("customers", { depth: 1 })).edges).toEqual(["customers → order_facts by View"]);
  const linked = await walk("customers", { depth: 1, foreignKeys: true });
  expect(linked.edges).toEqual(["customers → order_facts by View", "customers → orders by ForeignKey"]);
  expect(linked.columns("customers", "orders")).toEqual(["id → customer_id"]);
});

test("only what changed is parsed again, and what is gone goes", async () => {
  const before = (await walk("orders")).all;
  expect(await refreshLineage(source.id)).toBe(0);
  const again = (await walk("orders")).all;
  expect(again.map(({ since }) => since)).toEqual(before.map(({ since }) => since));
  expect(again.every(({ lastSeenAt }, place) => lastSeenAt > (before[place]?.lastSeenAt ?? 0))).toBe(true);
  await sql.unsafe("drop materialized view shop.revenue_kept");
  await refreshSchema(await asAdmin(), source.id);
  await refreshLineage(source.id);
  expect((await walk("revenue")).nodes).toEqual(["-1 order_facts", "-2 customers", "-2 orders", "0 revenue"]);
});

test("queries read tables, from their active version on until they are archived", async () => {
  const query = await aQuery({
    ...{ name: "Countries", dataSource: source },
    sql: "select country, revenue from shop.revenue where revenue > {{least}}",
  });
  expect(await sourcesWithChangedQueries()).toEqual([source.id]);
  expect(await refreshLineage(source.id, { readsViews: false })).toBe(1);
  expect(await sourcesWithChangedQueries()).toEqual([]);
  const found = await walk("revenue");
  expect(found.edges).toContain(`revenue → query ${query.id} by Query`);
  expect(found.columns("revenue", `query ${query.id}`)).toEqual(["country → country", "revenue → revenue"]);
  // Views were not read, and are still known.
  expect(found.edges).toContain("order_facts → revenue by View");
  await archiveQuery(await asEditor(), { id: query.id });
  expect(await sourcesWithChangedQueries()).toEqual([source.id]);
  await refreshLineage(source.id, { readsViews: false });
  expect((await walk("revenue")).nodes).not.toContain(`1 query ${query.id}`);
});

test("SQL that cannot be read names its tables all the same, and says so", async () => {
  const parentheses = `${"(".repeat(2_000)}total${")".repeat(2_000)}`;
  const query = await aQuery({ dataSource: source, sql: `select ${parentheses} as t from shop.orders` });
  const lost = await aQuery({ dataSource: source, sql: "select o.id from shop.orders o, shop.nowhere n" });
  await refreshLineage(source.id, { readsViews: false });
  const { all } = await walk("orders", { direction: "Downstream", depth: 1 });
  const edgeTo = (id: number) => all.find(({ to }) => to === JSON.stringify([id]));
  expect(edgeTo(query.id)).toMatchObject({ isCertain: false, columns: [] });
  expect(edgeTo(lost.id)).toMatchObject({ isCertain: true, columns: [{ from: "id", to: "id" }] });
  const problems = await sql<{ problem: string }[]>`
    select problem from lineage_statements where query_id in ${sql([query.id, lost.id])} order by query_id`;
  expect(problems.map(({ problem }) => problem)).toEqual([
    "It is nested too deeply to be read",
    "It reads shop.nowhere, not found in the schema that was last read",
  ]);
});

test("circles end", async () => {
  const table = (tableName: string) => ({ dataSourceId: source.id, schemaName: "shop", tableName });
  await db.transaction((tx) =>
    storeEdges(tx, { projectId: source.projectId, via: "Dbt", origin: "circle" }, [
      { from: table("a"), to: table("b"), columns: [], isCertain: true },
      { from: table("b"), to: table("a"), columns: [], isCertain: true },
      { from: table("a"), to: table("a"), columns: [], isCertain: true },
    ]),
  );
  expect(await walk("a")).toMatchObject({ nodes: ["-1 b", "0 a"], edges: ["a → b by Dbt", "b → a by Dbt"] });
});

test("of a crowd, the nearest 200 are told, and how many there are", async () => {
  const table = (tableName: string) => ({ dataSourceId: source.id, schemaName: "crowd", tableName });
  await db.transaction((tx) =>
    storeEdges(
      tx,
      { projectId: source.projectId, via: "Dbt", origin: "crowd" },
      Array.from({ length: 230 }, (_, n) => ({
        ...{ from: table("hub"), to: table(`t${n}`), columns: [], isCertain: true },
      })),
    ),
  );
  const { nodes, omitted } = await walkLineage({
    start: table("hub"),
    ...{ direction: "Both", depth: 2, foreignKeys: true },
  });
  expect([nodes.length, omitted]).toEqual([200, 31]);
});
