import { eq } from "drizzle-orm";
import { afterAll, beforeAll, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { ordersContract, saysWhy, shop } from "./orders.fixture.ts";

let dataSourceId: number;

beforeAll(async () => {
  dataSourceId = (await aDataSource({ connection: mysqlConnection })).id;
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, dataSourceId));
  for (const statement of shop("varchar(40)")) await mysql.query(statement);
});
afterAll(closeSources);

test("the causes are the same", async () => {
  const { why } = await ordersContract(await asEditor(), dataSourceId);
  await saysWhy(why);
});
