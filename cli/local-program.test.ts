import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { dialectOf } from "../server/data-sources/dialects/dialects.ts";
import { serverKinds } from "../server/data-sources/kinds.ts";
import { driverOf, drivers } from "./drivers.mjs";
import { requireNode } from "./local-program.mjs";

test.each([
  ["20.20.2", false],
  ["22.12.9", false],
  ["22.13.0", true],
  ["23.0.0", true],
  ["24.21.0", true],
])("work without the service on Node %s: %s", (version, isEnough) => {
  if (isEnough) requireNode(version);
  else
    expect(() => requireNode(version)).toThrow(
      `Work without the service needs Node 22.13 or newer, and this is ${version}`,
    );
});

test("each scheme of a database's URL has its driver; PostgreSQL's is in the package", () => {
  const found = serverKinds.flatMap((kind) =>
    dialectOf(kind).connection.schemes.map((scheme) => [scheme, driverOf(`${scheme}://host/database`)]),
  );
  expect(Object.fromEntries(found)).toEqual({
    ...{ postgres: undefined, postgresql: undefined, mysql: "mysql2", mariadb: "mysql2" },
    ...{ mssql: "tedious", sqlserver: "tedious", clickhouse: "@clickhouse/client" },
  });
  expect(["orders.csv", "C:\\orders.csv", "/data/orders.parquet"].map(driverOf)).toEqual(
    Array(3).fill("@duckdb/node-api"),
  );
});

test("each driver is one that the service uses", () => {
  expect(Object.keys(packageJson.dependencies)).toEqual(expect.arrayContaining(drivers));
});
