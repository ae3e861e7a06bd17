import { expect, test } from "vitest";
import { dialects } from "../data-sources/dialects/dialects.ts";
import { namesTable, needleOf } from "./named-in-sql.ts";

const { postgresql, mysql, sqlserver } = dialects;
const orders = { schemaName: "shop", tableName: "orders" };

test.each([
  ["select * from orders", true],
  ["select * from shop.orders o", true],
  ['select * from "shop"."orders"', true],
  ["select * from shop . ORDERS;", true],
  ["select * from a join\norders\nusing (id)", true],
  ["select * from(orders)", true],
  // In another schema, and a column of another table.
  ["select * from archive.orders", false],
  ["select c.orders from customers c", false],
  ["select * from orders_archive, old_orders, orders2, réorders", false],
  ["select 1 -- orders", false],
  ["select 1 /* from orders */, 'orders', $$orders$$", false],
  ["select 'it''s' from orders", true],
  ["", false],
])("%s", (sql, expected) => {
  expect(namesTable(sql, postgresql, orders)).toBe(expected);
});

test("every engine has its own quoting", () => {
  expect(namesTable("select * from `shop`.`orders`", mysql, orders)).toBe(true);
  expect(namesTable("select 1 # orders", mysql, orders)).toBe(false);
  expect(namesTable("select * from [shop].[Orders]", sqlserver, orders)).toBe(true);
  expect(namesTable("select * from warehouse..orders", sqlserver, orders)).toBe(true);
  expect(namesTable("select * from warehouse.dbo.orders", sqlserver, orders)).toBe(false);
});

test("a name with quotes, spaces, or dots is found as quoted", () => {
  const odd = { schemaName: "public", tableName: 'odd" name.of | it' };
  const sql = 'select * from "odd"" name.of | it"';
  expect(namesTable(sql, postgresql, odd)).toBe(true);
  expect(sql).toContain(needleOf(odd.tableName));
  expect(namesTable('select * from "name.of | it"', postgresql, odd)).toBe(false);
  expect(needleOf('""')).toBe("");
});
