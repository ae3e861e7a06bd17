import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../data-sources/service/read-schema.ts";
import { dataSources } from "../data-sources/tables.ts";
import { db } from "../db/client.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../test/mysql.ts";
import { refreshLineage } from "./service/refresh.ts";
import { walkLineage } from "./service/walk.ts";

afterAll(closeSources);

test("views are read as MySQL and MariaDB write them", async () => {
  const source = await aDataSource({ connection: mysqlConnection });
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, source.id));
  for (const statement of [
    "create table customers (id int primary key, country varchar(40))",
    "create table orders (id int primary key, customer_id int, total int)",
    "create view order_facts as select o.id, o.total as amount, c.country from orders o join customers c on c.id = o.customer_id left join orders p on p.id = o.id",
  ])
    await mysql.query(statement);
  await refreshSchema(await asAdmin(), source.id);
  await refreshLineage(source.id);
  const { nodes, edges } = await walkLineage({
    start: { dataSourceId: source.id, schemaName: mysqlConnection.database, tableName: "order_facts" },
    ...{ direction: "Both", depth: 2, foreignKeys: true },
  });
  expect(nodes.map((node) => ("tableName" in node ? node.tableName : "")).sort()).toEqual([
    "customers",
    "order_facts",
    "orders",
  ]);
  expect(edges.every(({ isCertain }) => isCertain)).toBe(true);
  expect(edges.flatMap(({ columns }) => columns)).toContainEqual({ from: "total", to: "amount" });
});
