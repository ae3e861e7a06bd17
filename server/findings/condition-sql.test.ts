import { afterAll, beforeAll } from "vitest";
import { dialects } from "../data-sources/dialects/dialects.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { sql } from "../db/client.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { hardTable, relationOf, selectsTheSameRows } from "./condition-sql.fixture.ts";

const source = { id: 0, schemaName: "public" };

beforeAll(async () => {
  source.id = (await aDataSource()).id;
  const dialect = dialects.postgresql;
  for (const statement of hardTable(dialect, relationOf(dialect, "public"))) await sql.unsafe(statement);
});
afterAll(closeSources);

selectsTheSameRows(() => source);
