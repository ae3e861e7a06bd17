import { expect, test } from "vitest";
import type { ServerKind } from "../data-sources/kinds.ts";
import { datasetOf, type Source, tableOf } from "./datasets.ts";

const at = (id: number, kind: ServerKind, host: string, port: number, database: string): Source => ({
  ...{ id, kind, connection: { host, port, database } },
  defaultSchema: kind === "PostgreSql" ? "public" : database,
});
const bigQuery = { billingProject: "acme-jobs", dataProject: "acme-dw", maxBytesBilled: 10_000_000_000 };
const sources: Source[] = [
  at(1, "PostgreSql", "db.example.com", 5432, "shop"),
  at(2, "PostgreSql", "db.example.com", 5433, "shop"),
  at(3, "MySql", "db.example.com", 3306, "shop"),
  at(4, "SqlServer", "sql.example.com", 1433, "shop"),
  { ...at(6, "Trino", "trino.example.com", 8080, "lake/sales"), defaultSchema: "sales" },
  { id: 5, kind: "BigQuery", connection: bigQuery, defaultSchema: "" },
];

test.each([
  ["postgres://db.example.com:5432", "shop.public.orders", [1, "public", "orders"]],
  ["postgres://DB.example.com", "shop.public.orders", [1, "public", "orders"]],
  ["postgres://db.example.com:5433", "shop.sales.orders", [2, "sales", "orders"]],
  ["postgres://db.example.com:5432", "sales.orders", [1, "sales", "orders"]],
  ["mysql://db.example.com:3306", "shop.orders", [3, "shop", "orders"]],
  ["mssql://sql.example.com:1433", "shop.dbo.orders", [4, "dbo", "orders"]],
  ["trino://trino.example.com", "lake.shop.orders", [6, "shop", "orders"]],
  ["trino://trino.example.com:8080", "other.shop.orders", [null, "other.shop", "orders"]],
  ["bigquery", "acme-dw.shop.orders", [5, "shop", "orders"]],
  ["bigquery", "acme-jobs.shop.orders", [null, "acme-jobs.shop", "orders"]],
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

test("a table of Trino is a dataset by its catalog", () => {
  const connection = {
    host: "trino.example.com",
    port: 8443,
    database: "lake/sales",
    user: "reader",
    ssl: true,
  };
  expect(datasetOf({ kind: "Trino", connection }, { schemaName: "shop", tableName: "orders" })).toEqual({
    ...{ namespace: "trino://trino.example.com:8443", name: "lake.shop.orders" },
  });
});

test("a table of BigQuery is a dataset by the project of its data", () => {
  const dataset = datasetOf(
    { kind: "BigQuery", connection: bigQuery },
    { schemaName: "shop", tableName: "orders" },
  );
  expect(dataset).toEqual({ namespace: "bigquery", name: "acme-dw.shop.orders" });
});
