import { eq } from "drizzle-orm";
import { afterAll, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { asAdmin, mysql, mysqlConnection } from "../../test/mysql.ts";
import { stopsAtOnce } from "./stop-scan.fixture.ts";
import { shop } from "./warehouse.fixture.ts";

afterAll(closeSources);

test("a scan is stopped at once, and keeps what it has stored", async () => {
  const { id } = await aDataSource({ connection: mysqlConnection });
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, id));
  for (const statement of shop((name) => `\`${name}\``)) await mysql.query(statement);
  await mysql.query("create view slow_orders as select id + sleep(0.5) as id from orders");
  const isReading = async () =>
    (
      await asAdmin(
        "select 1 from information_schema.processlist where db = ? and info like '%`slow_orders`%' and id <> connection_id()",
        [mysqlConnection.database],
      )
    ).length > 0;
  await stopsAtOnce(await asEditor(), id, { schemaName: mysqlConnection.database, isReading });
});
