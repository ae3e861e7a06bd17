import { afterAll, beforeAll, expect, test } from "vitest";
import { evaluateContract } from "../data-quality/service/evaluate.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { saveDescription } from "../data-sources/service/descriptions.ts";
import { refreshSchema } from "../data-sources/service/read-schema.ts";
import { sql } from "../db/client.ts";
import { aContract, aRule } from "../test/factories/contracts.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { asEditor, asViewer } from "../test/factories/principals.ts";
import { aFolder, aQuery } from "../test/factories/queries.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { catalogTablesInput } from "./schema.ts";
import { documentProject, exportDocumentation } from "./service/document-sources.ts";
import { getTable } from "./service/get-table.ts";
import { listCatalogSources, listCatalogTables } from "./service/list-tables.ts";
import { getPage } from "./service/project-pages.ts";

const odd = 'odd "name"/of | it';
let source: Awaited<ReturnType<typeof aDataSource>>;
let ctx: Awaited<ReturnType<typeof asEditor>>;

beforeAll(async () => {
  await sql.unsafe(`
    create schema shop;
    create table shop.customers (id int primary key, name text);
    create table shop.orders (id int primary key, customer int not null references shop.customers (id), note text);
    create table shop."odd ""name""/of | it" (id int);
    create view shop.recent as select * from shop.orders;
    comment on table shop.customers is 'Who buys';
    comment on column shop.orders.note is 'Free text';
    insert into shop.customers values (1, 'Ada');
    insert into shop.orders values (1, 1, null), (2, 1, 'x');
    analyze shop.orders;`);
  ctx = await asEditor();
  source = await aDataSource({ name: "Warehouse" });
});
afterAll(closeSources);

const orders = { schemaName: "shop", tableName: "orders" };
const get = (name: object = {}, by = ctx) => getTable(by, { dataSourceId: source.id, ...orders, ...name });
const list = async (filter: object = {}) =>
  (
    await listCatalogTables(
      ctx,
      catalogTablesInput.parse({ dataSourceId: source.id, schemaName: "shop", ...filter }),
    )
  ).items.map(({ tableName }) => tableName);

test("before the schema has been read, a table's page is empty, and its source lists no tables", async () => {
  expect(await get()).toMatchObject({ readAt: null, isThere: false, columns: [], queries: [] });
  expect((await listCatalogSources(ctx, { projectId: source.projectId })).items).toMatchObject([
    { id: source.id, readAt: null, tableCount: 0, schemas: [], averageScore: null },
  ]);
  await refreshSchema(ctx, source.id);
});

test("a table has its columns, keys, and the tables that reference it", async () => {
  const table = await get();
  expect(table).toMatchObject({
    kind: "Table",
    rowEstimate: 2,
    isThere: true,
    quality: null,
    referredBy: [],
  });
  expect(
    table.columns.map(({ name, comment, references }) => [name, comment, references?.tableName]),
  ).toEqual([
    ["id", null, undefined],
    ["customer", null, "customers"],
    ["note", "Free text", undefined],
  ]);
  expect((await get({ tableName: "customers" })).referredBy).toEqual([
    { ...orders, columnName: "customer", to: "id" },
  ]);
  expect((await get({ tableName: odd })).columns).toHaveLength(1);
});

test("its rules have the latest results, and its score has its history", async () => {
  const contract = await aContract({
    ...{ name: "Orders: complete", dataSourceId: source.id, ...orders },
    rules: [
      aRule("NullRate", { column: "note", maxNullPercent: 0 }, { name: "Has a note" }),
      aRule("Volume", { minRows: 1 }, { name: "Has rows" }),
    ],
  });
  expect((await get()).rules.map(({ name, verdict }) => [name, verdict])).toEqual([
    ["Has a note", null],
    ["Has rows", null],
  ]);
  await evaluateContract(ctx, contract.id);
  const { overallScore } = await evaluateContract(ctx, contract.id);
  const table = await get();
  expect(table.quality).toMatchObject({ currentScore: overallScore, trend: "Stable" });
  expect(table.quality?.history).toHaveLength(2);
  expect(table.contracts).toMatchObject([{ id: contract.id, latestScore: overallScore }]);
  expect(table.rules.map(({ name, column, verdict }) => [name, column, verdict?.passed])).toEqual([
    ["Has a note", "note", false],
    ["Has rows", null, true],
  ]);
});

test("a table's contracts and score are those of its name, in any case where case makes no difference", async () => {
  const { id } = await aDataSource({ name: "Spelled" });
  const contract = await aContract({ dataSourceId: id, schemaName: "shop", tableName: "orders" }, ctx);
  const { tableName: odd } = await aContract(
    { dataSourceId: id, schemaName: "shop", tableName: "BÄNDER" },
    ctx,
  );
  await evaluateContract(ctx, contract.id);
  const found = async (name: object) => {
    const { contracts, quality } = await getTable(ctx, { dataSourceId: id, ...orders, ...name });
    return { contracts: contracts.map(({ id }) => id), history: quality?.history.length };
  };
  const spelled = { schemaName: "SHOP", tableName: "Orders" };
  expect(await found({})).toEqual({ contracts: [contract.id], history: 1 });
  expect(await found(spelled)).toEqual({ contracts: [], history: undefined });

  await sql`update data_sources set kind = 'Trino' where id = ${id}`;
  expect(await found({})).toEqual({ contracts: [contract.id], history: 1 });
  expect(await found(spelled)).toEqual({ contracts: [contract.id], history: 1 });
  expect(await found({ tableName: "order" })).toEqual({ contracts: [], history: undefined });
  expect((await found({ tableName: odd.toLowerCase() })).contracts).toHaveLength(1);
});

test("lists the queries that use it with their subscriptions, and no others", async () => {
  const folder = await aFolder({ projectId: source.projectId, name: "Daily" });
  const ask = (name: string, text: string, more = {}) =>
    aQuery({ name, dataSource: source, sql: text, ...more });
  const reading = await ask("Late orders", 'select * from shop."orders"', { folderId: folder.id });
  await ask("Orders of others", "select 1 from archive.orders");
  await ask("No orders", "select 'orders' as orders_of -- orders");
  await aQuery({ name: "Elsewhere", sql: "select * from shop.orders" });
  const subscription = await aSubscription({ query: reading });
  const table = await get();
  expect(table.queries).toMatchObject([
    { id: reading.id, name: "Late orders", folderPath: "Daily", subscriptions: [{ id: subscription.id }] },
  ]);
  expect(table.queryCount).toBe(1);
  await ask("Odd", 'select * from shop."odd ""name""/of | it"');
  expect((await get({ tableName: odd })).queries).toMatchObject([{ name: "Odd", subscriptions: [] }]);
});

test("the list can be filtered, sorted, and paginated", async () => {
  const say = (tableName: string, description: string, columnName?: string) =>
    saveDescription(ctx, { id: source.id, schemaName: "shop", tableName, columnName, description });
  await say("recent", "Orders that are new");
  await say("orders", "Says what it is", "note");
  expect(await list()).toEqual(["customers", odd, "orders", "recent"]);
  expect(await list({ search: "  SHOP.rec " })).toEqual(["recent"]);
  expect(await list({ search: "new orders" })).toEqual(["recent"]);
  expect(await list({ search: "100%" })).toEqual([]);
  expect(await list({ kind: "View" })).toEqual(["recent"]);
  // Documented by a description, or by the table's own comment.
  expect(await list({ documented: "yes" })).toEqual(["customers", "recent"]);
  expect(await list({ documented: "no" })).toEqual([odd, "orders"]);
  expect(await list({ watched: "yes" })).toEqual(["orders"]);
  expect(await list({ sortBy: "score", sortDirection: "desc" })).toEqual([
    "orders",
    "customers",
    odd,
    "recent",
  ]);
  expect(await list({ sortBy: "name", sortDirection: "desc" })).toEqual([
    "recent",
    "orders",
    odd,
    "customers",
  ]);
  expect(await list({ sortBy: "contracts", sortDirection: "desc", pageSize: 1 })).toEqual(["orders"]);
  // The score's course is that of the evaluations above, on whichever page the table is.
  const byName = { dataSourceId: source.id, schemaName: "shop", sortBy: "name" };
  const onSecondPage = await listCatalogTables(
    ctx,
    catalogTablesInput.parse({ ...byName, pageSize: 2, page: 1 }),
  );
  const { quality } = await get();
  const scores = quality?.history.map(({ score }) => score);
  expect(scores).toHaveLength(2);
  expect(onSecondPage.items.map(({ tableName, course }) => [tableName, course])).toEqual([
    ["orders", scores],
    ["recent", []],
  ]);
  expect(await list({ pageSize: 3, page: 1 })).toEqual(["recent"]);
  expect(await list({ page: 1_000_000 })).toEqual([]);

  const { items } = await listCatalogSources(ctx, { projectId: source.projectId });
  expect(items[0]?.schemas).toContainEqual({ schemaName: "shop", tableCount: 4 });
  expect(items[0]).toMatchObject({ scoredCount: 1, activeContractCount: 1 });
});

test("descriptions and the page remain while a table is missing", async () => {
  const say = (description: string, columnName?: string) =>
    saveDescription(ctx, {
      id: source.id,
      schemaName: "shop",
      tableName: "passing",
      columnName,
      description,
    });
  await sql.unsafe("create table shop.passing (id int)");
  await refreshSchema(ctx, source.id);
  await say("Comes and goes");
  await say("Counts up", "id");
  await sql.unsafe("drop table shop.passing");
  await refreshSchema(ctx, source.id);
  const gone = await get({ tableName: "passing" });
  expect(gone).toMatchObject({ isThere: false, kind: null, columns: [] });
  expect(gone.description?.text).toBe("Comes and goes");
  expect(gone.formerColumns.map(({ name, description }) => [name, description.text])).toEqual([
    ["id", "Counts up"],
  ]);
  await sql.unsafe("create table shop.passing (id int)");
  await refreshSchema(ctx, source.id);
  expect((await get({ tableName: "passing" })).columns[0]?.description?.text).toBe("Counts up");
});

test("missing tables and other projects' tables are not found", async () => {
  await expect(get({ tableName: "nothing" })).rejects.toMatchObject({ detail: "Table not found" });
  await expect(get({ dataSourceId: 2_000_000_000 })).rejects.toMatchObject({ code: "not_found" });
  const stranger = await asViewer({ projectIds: [(await aProject()).id] });
  await expect(get({}, stranger)).rejects.toMatchObject({ detail: "Data source not found" });
  const everything = catalogTablesInput.parse({});
  expect(await listCatalogTables(stranger, everything)).toMatchObject({ items: [], totalCount: 0 });
  expect(await listCatalogSources(stranger, {})).toEqual({ items: [] });
  const { markdown } = await exportDocumentation(stranger, {});
  expect(markdown).not.toContain("orders");
  const api = await aDataSource({ kind: "RestApi" });
  await expect(get({ dataSourceId: api.id })).rejects.toMatchObject({ detail: "Table not found" });
});

test("descriptions appear in every export and in MCP resources", async () => {
  const isDescribed = expect.stringContaining("Orders that are new");
  const part = { dataSourceId: source.id, schemaName: "shop" };
  expect(await exportDocumentation(ctx, { ...part, tableName: "recent" })).toEqual({ markdown: isDescribed });
  expect(await exportDocumentation(ctx, part)).toEqual({ markdown: isDescribed });
  expect(await exportDocumentation(ctx, { projectId: source.projectId })).toEqual({ markdown: isDescribed });
  const { markdown } = await exportDocumentation(ctx, {});
  expect(markdown).toContain("# Catalog");
  expect(markdown).toContain("| `note` | text |  |  | Says what it is | Free text |");

  const asked = { projectId: source.projectId, schemaName: "shop" };
  expect(await documentProject(ctx, asked)).toEqual({ markdown: isDescribed });
  const page = await getPage(ctx, source.projectId, "report");
  expect(page.markdown).toMatch(/`shop`\.`orders` \| \d+\.\d\d, stable/);
});
