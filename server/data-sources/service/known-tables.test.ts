import { expect, test } from "vitest";
import { db, sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { dataSourceSchemas } from "../tables.ts";
import { closeSources } from "./connected-sources.ts";
import { findKeyColumns, findKnownTable, listKnownTables } from "./known-tables.ts";
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

test("many wide tables are listed, and those that refer to one, without files of gigabytes", async () => {
  const source = await aDataSource();
  const orders = { schemaName: "lake", tableName: "orders" };
  const references = { ...orders, columnName: "id" };
  // Some 2 MB: a row that was sorted with its schema beside it would take as much, 2,000 times.
  const columns = Array.from({ length: 8 }, (_, place) => ({
    name: `a_column_with_a_long_name_${place}`,
    type: "integer",
    nullable: true,
    comment: null,
    isPrimaryKey: false,
    ...(place === 3 && { references }),
  }));
  const tables = Array.from({ length: 2_000 }, (_, place) => ({
    ...{ tableName: `table_${place}`, kind: "Table" as const, rowEstimate: place, comment: null, columns },
  }));
  await db
    .insert(dataSourceSchemas)
    .values({ dataSourceId: source.id, items: [{ schemaName: "lake", tables }] });
  const known = (await listKnownTables([source.id])).get(source.id)?.tables;
  expect(known?.map(({ tableName }) => tableName)).toEqual(tables.map(({ tableName }) => tableName));
  expect(known?.[7]).toEqual({
    ...{
      schemaName: "lake",
      tableName: "table_7",
      kind: "Table",
      rowEstimate: 7,
      comment: null,
      columnCount: 8,
    },
  });
  const { referredBy = [] } = (await findKnownTable(source.id, orders)) ?? {};
  expect(referredBy).toHaveLength(2_000);
  expect(referredBy[7]).toEqual({
    ...{ schemaName: "lake", tableName: "table_7", columnName: "a_column_with_a_long_name_3", to: "id" },
  });
});
