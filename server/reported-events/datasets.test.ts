import { expect, test } from "vitest";
import { datasetOf, type Source, tableOf } from "./datasets.ts";

const at = (id: number, kind: Source["kind"], host: string, port: number, database: string): Source => ({
  ...{ id, kind, connection: { host, port, database } },
  defaultSchema: kind === "PostgreSql" ? "public" : database,
});
const sources = [
  at(1, "PostgreSql", "db.example.com", 5432, "shop"),
  at(2, "PostgreSql", "db.example.com", 5433, "shop"),
  at(3, "MySql", "db.example.com", 3306, "shop"),
  at(4, "SqlServer", "sql.example.com", 1433, "shop"),
];

test.each([
  ["postgres://db.example.com:5432", "shop.public.orders", [1, "public", "orders"]],
  ["postgres://DB.example.com", "shop.public.orders", [1, "public", "orders"]],
  ["postgres://db.example.com:5433", "shop.sales.orders", [2, "sales", "orders"]],
  ["postgres://db.example.com:5432", "sales.orders", [1, "sales", "orders"]],
  ["mysql://db.example.com:3306", "shop.orders", [3, "shop", "orders"]],
  ["mssql://sql.example.com:1433", "shop.dbo.orders", [4, "dbo", "orders"]],
  // Of another server, another database, another kind of store.
  ["postgres://other.example.com:5432", "shop.public.orders", [null, "shop.public", "orders"]],
  ["postgres://db.example.com:5432", "billing.public.orders", [null, "billing.public", "orders"]],
  ["s3://bucket", "path/orders.parquet", [null, "path/orders", "parquet"]],
  ["postgres://db.example.com:5432", "orders", [null, "", "orders"]],
] as const)("%s, %s", (namespace, name, [dataSourceId, schemaName, tableName]) => {
  expect(tableOf({ namespace, name }, sources)).toEqual({ dataSourceId, schemaName, tableName });
});

test("a table of files is a dataset by its folder", () => {
  const files = { kind: "Files", connection: { folder: "/srv/exports", patterns: [] } } as const;
  const named = (schemaName: string) =>
    datasetOf(
      { ...files, connection: { ...files.connection, patterns: [] } },
      { schemaName, tableName: "orders" },
    );
  expect(named("main")).toEqual({ namespace: "file", name: "/srv/exports/orders" });
  expect(named("shop")).toEqual({ namespace: "file", name: "/srv/exports/shop/orders" });
});
