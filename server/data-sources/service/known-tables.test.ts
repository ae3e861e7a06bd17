import { expect, test } from "vitest";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { closeSources } from "./connected-sources.ts";
import { findKeyColumns, listKnownTables } from "./known-tables.ts";
import { refreshSchema } from "./read-schema.ts";

test("tables are known after introspection, and not before", async () => {
  await sql.unsafe(`
    create schema shop;
    create table shop.orders (note text, line int, "order id" int, primary key ("order id", line));
    create table shop.loose (id int);
    comment on table shop.loose is 'Lies about';
    create view shop.seen as select 1 as one;`);
  const source = await aDataSource();
  const orders = { schemaName: "shop", tableName: "orders" };
  expect(await listKnownTables([source.id])).toEqual(new Map());
  expect(await findKeyColumns(source.id, orders)).toEqual([]);

  await refreshSchema(await asAdmin(), source.id);
  const known = (await listKnownTables([source.id])).get(source.id);
  expect(known?.readAt).toBeInstanceOf(Date);
  expect(known?.tables.filter(({ schemaName }) => schemaName === "shop")).toMatchObject([
    { tableName: "loose", kind: "Table", columnCount: 1, comment: "Lies about" },
    { tableName: "orders", kind: "Table", columnCount: 3, comment: null },
    { tableName: "seen", kind: "View", columnCount: 1 },
  ]);
  // In the order of the table's columns.
  expect(await findKeyColumns(source.id, orders)).toEqual(["line", "order id"]);
  expect(await findKeyColumns(source.id, { ...orders, tableName: "loose" })).toEqual([]);
  await closeSources();
});
