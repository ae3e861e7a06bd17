import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SnowflakeConnection } from "../../data-sources/connections/snowflake.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db, sql } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { until } from "../../test/listening.ts";
import { rest } from "../../test/rest-client.ts";
import { reachSnowflakeAt } from "../../test/snowflake.ts";

/** What a contract costs, and what a spent budget does to it, on a stand-in for Snowflake that counts four rows. */
let statements: string[] = [];
const handle = "e4ce975e-f7ff-4b5e-b15e-bf25f59371ae";
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    statements.push(JSON.parse(Buffer.concat(chunks).toString()).statement);
    const fixed = { name: "total", type: "fixed", precision: 18, scale: 0, nullable: false };
    response.end(
      JSON.stringify({
        ...{ code: "090001", statementHandle: handle, data: [["4"]] },
        resultSetMetaData: {
          numRows: 1,
          format: "jsonv2",
          rowType: [fixed],
          partitionInfo: [{ rowCount: 1 }],
        },
      }),
    );
  });
});

let cookie: string;
let dataSourceId: number;
let contractId: number;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  reachSnowflakeAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  cookie = await aSession("Admin");
  dataSourceId = (await aDataSource({ kind: "Snowflake" })).id;
  const connection: SnowflakeConnection = {
    ...{ account: "myorg-account123", user: "reader", authentication: "OAuth", queryTag: "plumbline" },
    ...{ database: "SHOP", schema: "PUBLIC" },
  };
  const secret = encrypt(JSON.stringify({ token: "a-token" }), `data-source:${dataSourceId}`);
  await db.update(dataSources).set({ connection, secret }).where(eq(dataSources.id, dataSourceId));
  contractId = (
    await aContract({
      ...{ dataSourceId, schemaName: "PUBLIC", tableName: "ORDERS" },
      rules: [aRule("Volume", { minRows: 4 })],
    })
  ).id;
});
afterAll(async () => {
  await closeSources();
  server.close();
});

const evaluate = () => rest("POST", `/data-quality/contracts/${contractId}/evaluate`, { cookie });
const costOfContract = async () =>
  (await rest("GET", `/data-quality/contracts/${contractId}/cost`, { cookie })).body.cost;
const costOfSource = async () =>
  (await rest("GET", `/data-sources/${dataSourceId}/cost`, { cookie })).body.cost;

test("an evaluation is counted for its contract and its data source, and what is older than 30 days is not", async () => {
  expect(await costOfContract()).toEqual({ unit: "seconds", last30Days: { amount: 0, statements: 0 } });
  const evaluated = await evaluate();
  expect(evaluated.body).toMatchObject({ overallScore: 100, notEvaluatedBecause: null });
  const ran = statements.length;
  expect(ran).toBeGreaterThan(0);
  const cost = await costOfContract();
  expect(cost).toEqual({ unit: "seconds", last30Days: { amount: expect.any(Number), statements: ran } });
  expect(cost.last30Days.amount).toBeGreaterThan(0);
  // It is the only one that has run, so its own cost is the same.
  expect(evaluated.body.cost).toEqual({ unit: "seconds", ...cost.last30Days });

  const today = sql`(now() at time zone 'UTC')::date`;
  await sql`insert into data_source_costs (data_source_id, day, contract_id, unit, amount, statements) values
    (${dataSourceId}, ${today} - 29, ${contractId}, 'seconds', 100, 10),
    (${dataSourceId}, ${today} - 30, ${contractId}, 'seconds', 1000, 10),
    (${dataSourceId}, ${today}, ${contractId}, 'bytes', 5000, 10)`;
  expect((await costOfContract()).last30Days).toEqual({
    amount: cost.last30Days.amount + 100,
    statements: ran + 10,
  });
  expect(await costOfSource()).toMatchObject({
    ...{ unit: "seconds", dailyBudget: null },
    today: cost.last30Days,
    last30Days: { statements: ran + 10 },
  });
});

test("when the budget is spent, nothing is sent, and the contract could not be evaluated rather than failed", async () => {
  await sql`update data_sources set daily_budget = 0.000001 where id = ${dataSourceId}`;
  statements = [];
  const { body } = await evaluate();
  expect(body.couldNotEvaluate).toBe(true);
  expect(body.notEvaluatedBecause).toMatch(
    /daily budget of this data source is spent: .* of 0.000001 seconds/i,
  );
  expect(statements).toEqual([]);
  expect(body.cost).toBeNull();

  const refused = await rest("POST", `/data-sources/${dataSourceId}/refresh-schema`, { cookie });
  expect([refused.status, refused.body.detail]).toEqual([422, expect.stringMatching(/daily budget/)]);
});

test("the budget counts the day of UTC alone, and a larger one lets statements run again", async () => {
  await sql`update data_source_costs set day = day - 100 where data_source_id = ${dataSourceId}`;
  expect((await evaluate()).body.couldNotEvaluate).toBe(false);
  expect((await evaluate()).body.couldNotEvaluate).toBe(true);
  await sql`update data_sources set daily_budget = 1000 where id = ${dataSourceId}`;
  expect((await evaluate()).body.couldNotEvaluate).toBe(false);
});

test("a scan has what its own statements cost, also one that fails", async () => {
  await sql`update data_source_costs set day = day - 100 where data_source_id = ${dataSourceId}`;
  statements = [];
  const begun = await rest("POST", "/data-quality/findings/scans", { cookie, json: { dataSourceId } });
  let scan = begun.body;
  await until(async () => {
    scan = (await rest("GET", `/data-quality/findings/scans/${begun.body.id}`, { cookie })).body;
    return scan.status !== "Running";
  });
  const { today } = await costOfSource();
  expect(today.statements).toBeGreaterThan(0);
  expect(scan.cost).toEqual({ unit: "seconds", ...today });
});

test("a data source whose statements cost nothing has no costs, and takes no budget", async () => {
  const free = await aDataSource();
  const { body } = await rest("GET", `/data-sources/${free.id}/cost`, { cookie });
  expect(body).toEqual({ cost: null });
  const { password: _, ...connection } = { password: "", ...free.connection };
  const json = { name: free.name, connection, dailyBudget: 10 };
  const refused = await rest("PUT", `/data-sources/${free.id}`, { cookie, json });
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, "dailyBudget"]);
});
