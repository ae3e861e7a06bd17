import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { aBriefing, briefedTables } from "../../test/factories/briefings.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import type { BriefedTable } from "../briefing.ts";
import { gatherEvidence } from "../service/gather-evidence.ts";
import { proposeByRule } from "./propose-by-rule.ts";

/** A complete setup on a real MySQL or MariaDB: read, profiled, proposed, and each query run. */

const schemaName = mysqlConnection.database;
let dataSourceId: number;
let tables: BriefedTable[];

beforeAll(async () => {
  dataSourceId = (await aDataSource({ connection: mysqlConnection })).id;
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, dataSourceId));
  const numbers = (count: number) =>
    `(with recursive n as (select 1 as n union all select n + 1 from n where n < ${count}) select n from n) as n`;
  await mysql.query(`
    create table customers (id int primary key, email varchar(40));
    insert into customers select n, concat('c', n, '@example.com') from ${numbers(60)};
    create table orders (id bigint primary key, customer_id int, note varchar(20), created_at datetime not null);
    insert into orders select n, if(n = 7, 99, 1 + n mod 60), 'x', utc_timestamp() - interval n * 10 minute from ${numbers(900)};
    create table \`od\`\`d "one" é\` (\`Some Key\` varchar(20), \`when\` datetime);
    insert into \`od\`\`d "one" é\` select concat('k', n), null from ${numbers(30)}`);
  tables = await briefedTables(await asAdmin(), dataSourceId, (name) => name === schemaName);
});
afterAll(closeSources);

test("the times at which rows arrived are known", () => {
  const createdAt = tables.find(({ tableName }) => tableName === "orders")?.profile?.columns[3];
  // 900 rows, ten minutes apart: six in each of 150 hours.
  expect(createdAt?.arrivals).toMatchObject({ longestGapHours: 1, fewestRows: 6, latestHoursAgo: 0 });
  expect(createdAt?.arrivals?.hours).toBeGreaterThanOrEqual(150);
});

test("every check runs, and finds what is wrong and nothing else", async () => {
  const briefing = aBriefing({ tables, dataSource: { dialect: "mysql", defaultSchema: schemaName } });
  const admin = await asAdmin();
  const found: Record<string, unknown> = {};
  for (const action of proposeByRule(briefing, null).actions) {
    if (action.kind !== "CreateQuery") continue;
    const evidence = await gatherEvidence(admin, dataSourceId, action.sql);
    expect(evidence).toMatchObject({ valid: true, issues: [] });
    found[action.name] = evidence.rows?.map((row) => row.map(String));
  }
  expect(found).toEqual({
    "No new rows in orders": [],
    "Too few rows in orders": [],
    "Missing values in orders": [],
    "Orders with an unknown customer": [["7", "99"]],
    "Too few rows in customers": [],
    "Missing email in customers": [],
    "Duplicate email in customers": [],
    'Too few rows in od`d "one" é': [],
    'Missing Some Key in od`d "one" é': [],
    'Duplicate Some Key in od`d "one" é': [],
  });
});
