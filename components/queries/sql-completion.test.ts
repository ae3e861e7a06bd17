import { expect, test } from "vitest";
import type { Dialect } from "@/server/data-sources/dialects/dialect.ts";
import { mysql } from "@/server/data-sources/dialects/mysql.ts";
import { postgresql } from "@/server/data-sources/dialects/postgresql.ts";
import { sqlserver } from "@/server/data-sources/dialects/sqlserver.ts";
import { offersAt } from "./sql-completion.ts";

const table = (tableName: string, ...names: string[]) => ({
  ...{ tableName, kind: "Table" as const, rowEstimate: null, comment: null },
  columns: names.map((name) => ({
    ...{ name, type: "text", nullable: true, comment: null, isPrimaryKey: false },
  })),
});
const items = [
  {
    schemaName: "public",
    tables: [table("orders", "id", "amount", "Region", "order"), table("customers", "id", "name")],
  },
  { schemaName: "stock", tables: [table("items", "sku", "left")] },
];
const keywords = ["and", "from", "select", "where"];
const results = [{ tableName: "@@result1", columns: [{ name: "total", type: "numeric" }] }];

type Options = { dialect?: Dialect; isAsked?: boolean; isJoin?: boolean; tableName?: string };

/** What is offered at the bar. */
function offered(marked: string, options: Options = {}) {
  const { dialect = postgresql, isAsked = false, isJoin = false, tableName = "" } = options;
  const position = marked.indexOf("|");
  const sql = marked.replace("|", "");
  const known = {
    ...{ dialect, items: isJoin ? [] : items, schemaName: "public", tableName, keywords },
    ...{ parameters: ["least"], results: isJoin ? results : [] },
  };
  return offersAt(sql, position, isAsked, known);
}
const written = (marked: string, options?: Options) =>
  offered(marked, options)?.offers.flatMap(({ kind, apply }) => (kind === "keyword" ? [] : [apply])) ?? null;

test("FROM offers tables, those of other schemas qualified, before keywords", () => {
  const { offers = [], from } = offered("select * from ord|") ?? {};
  expect(offers.map(({ apply }) => apply)).toEqual([
    ...["orders", "customers", "stock", "stock.items"],
    ...keywords,
  ]);
  expect(from).toBe(14);
  expect(written("select * from orders o, cu|")).toEqual(["orders", "customers", "stock", "stock.items"]);
  expect(written("select * from orders o left join cu| on true")?.[1]).toBe("customers");
});

test("after a dot there is only what can follow: columns of an alias or table, tables of a schema", () => {
  const columns = ["id", "amount", '"Region"', '"order"'];
  expect(offered("select o.| from orders o")?.offers.map(({ apply }) => apply)).toEqual(columns);
  expect(written("select o.am| from orders as o")).toEqual(columns);
  expect(written("select orders.| from orders")).toEqual(columns);
  expect(written("select public.orders.| from public.orders")).toEqual(columns);
  expect(written("select * from stock.|")).toEqual(["items"]);
  expect(written("select * from stock.items i where i.|")).toEqual(["sku", '"left"']);
  expect(written("select * from orders where orders.|")).toEqual(columns);
  // No keywords for what is unknown.
  expect(offered("select x.| from orders o")).toBeNull();
  expect(offered("select 1.|")).toBeNull();
  expect(offered("select f(1).|")).toBeNull();
});

test("a dot at the end of a line does not hide the FROM of the next", () => {
  expect(written("select o.|\nfrom orders o")).toEqual(["id", "amount", '"Region"', '"order"']);
  expect(written("select *\nfrom orders o\njoin customers c on c.|\nwhere o.id > 1")).toEqual(["id", "name"]);
});

test("columns of the tables read are offered; those of several tables with their table", () => {
  expect(written("select a| from orders")?.slice(0, 3)).toEqual(["id", "amount", '"Region"']);
  const both = written("select a| from orders o join customers c on c.id = o.id");
  expect(both).toContain("o.id");
  expect(both).toContain("c.id");
  expect(both).toContain("amount");
  expect(both).not.toContain("id");
});

test("subqueries and WITH are read by their aliases, and an inner alias comes before an outer one", () => {
  expect(written("with t as (select id, count(*) as n, amount * 2 from orders) select t.| from t")).toEqual([
    "id",
    "n",
  ]);
  expect(written("with t (a, b) as (select id, amount from orders) select t.| from t")).toEqual(["a", "b"]);
  expect(written("with t as (select * from customers) select * from |", { isAsked: true })?.[0]).toBe("t");
  expect(written("select s.| from (select c.* , 1 as one from customers c) s")).toEqual([
    "id",
    "name",
    "one",
  ]);
  expect(written("select * from orders x where exists (select 1 from customers x where x.|)")).toEqual([
    "id",
    "name",
  ]);
  expect(written("with recursive t as (select * from t) select t.| from t")).toBeNull();
});

test("functions that write FROM read no table", () => {
  expect(written("select extract(year from a|) from orders")?.[1]).toBe("amount");
});

test("nothing is offered in strings, comments, and numbers, nor over a complete keyword", () => {
  expect(offered("select 'or|' from orders")).toBeNull();
  expect(offered("select 1 -- or|")).toBeNull();
  expect(offered("select /* or| */ 1")).toBeNull();
  expect(offered("select 12|")).toBeNull();
  expect(offered("select|")).toBeNull();
  expect(offered("select id or| from orders")).toBeNull();
  // Where only a table can follow, it is the beginning of one.
  expect(written("select * from or|")?.[0]).toBe("orders");
  expect(offered("select |")).toBeNull();
  expect(offered("select |", { isAsked: true })).not.toBeNull();
  expect(offered("select 'a' + am|")).not.toBeNull();
});

test("an opened quote is closed, in each engine's own", () => {
  const at = offered('select "Re|" from orders');
  expect(at).toMatchObject({ from: 8, to: 11 });
  expect(at?.offers.find(({ label }) => label === "Region")?.apply).toBe('Region"');
  expect(at?.offers.some(({ kind }) => kind === "keyword")).toBe(false);
  const bracket = offered("select [Re|] from orders", { dialect: sqlserver });
  expect(bracket?.offers.find(({ label }) => label === "Region")?.apply).toBe("Region]");
  expect(written("select o.`|` from orders o", { dialect: mysql })).toContain("order`");
  expect(written("select | from orders", { dialect: mysql, isAsked: true })).toContain("`order`");
});

test("names are compared as the server does", () => {
  expect(written("select O.| from Orders o")).toContain("amount");
  expect(written("select o.| from ORDERS o", { dialect: mysql })).toContain("amount");
  expect(written('select o.| from "ORDERS" o')).toBeNull();
});

test("parameters and results of earlier steps", () => {
  expect(offered("select * from orders where id > {{le|}}")).toMatchObject({
    ...{ from: 32, to: 38, offers: [{ apply: "{{least}}" }] },
  });
  expect(written("select id from orders where id > {{least}} and am|")).toContain("amount");
  expect(offered("select * from @@|", { isJoin: true })).toMatchObject({ from: 14 });
  expect(written("select * from @@re|", { isJoin: true })).toEqual(["@@result1"]);
  expect(written("select r.| from @@result1 r", { isJoin: true })).toEqual(["total"]);
  expect(written("select tot| from @@result1", { isJoin: true })).toContain("total");
});

test("a contract's own table needs no FROM", () => {
  expect(written("select a|", { tableName: "customers" })?.slice(0, 2)).toEqual(["id", "name"]);
});

test("a long text takes linear time", () => {
  const sql = `select ${"(".repeat(20_000)} from orders o, ${"a.b ".repeat(20_000)}`;
  const startedAt = performance.now();
  offered(`${sql}|`, { isAsked: true });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
