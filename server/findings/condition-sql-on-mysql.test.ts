import { eq } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import { dialects } from "../data-sources/dialects/dialects.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { dataSources } from "../data-sources/tables.ts";
import { db } from "../db/client.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { mysql, mysqlConnection } from "../test/mysql.ts";
import { hardTable, relationOf, selectsTheSameRows } from "./condition-sql.fixture.ts";

const source = { id: 0, schemaName: mysqlConnection.database };

beforeAll(async () => {
  source.id = (await aDataSource({ connection: mysqlConnection })).id;
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, source.id));
  const dialect = dialects.mysql;
  for (const statement of hardTable(dialect, relationOf(dialect, source.schemaName)))
    await mysql.query(statement);
});
afterAll(closeSources);

selectsTheSameRows(() => source);
