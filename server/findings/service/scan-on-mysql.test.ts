import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { evaluateContract } from "../../data-quality/service/evaluate.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { acceptFinding } from "./decide-findings.ts";
import { findsWhatIsPlanted, findsWhatIsPlantedInTexts } from "./finds-planted-faults.fixture.ts";
import { shop, textTable } from "./warehouse.fixture.ts";

let dataSourceId: number;

beforeAll(async () => {
  const source = await aDataSource({ connection: mysqlConnection });
  dataSourceId = source.id;
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, dataSourceId));
  for (const statement of shop((name) => `\`${name}\``)) await mysql.query(statement);
});
afterAll(closeSources);

test("planted faults are found with their rows, and each becomes a rule that fails", async () => {
  const ctx = await asEditor();
  const found = await findsWhatIsPlanted(ctx, dataSourceId, mysqlConnection.database);
  const contracts = new Set<number | null>();
  for (const { id } of found) contracts.add((await acceptFinding(ctx, { id })).contractId);
  expect(contracts.size).toBe(2);
  for (const id of contracts) {
    const { ruleResults } = await evaluateContract(ctx, id ?? 0);
    expect(ruleResults.map(({ ruleName, passed, couldRun }) => [ruleName, passed, couldRun])).toEqual(
      ruleResults.map(({ ruleName }) => [ruleName, false, true]),
    );
  }
});

test("numbers and dates that are texts are compared as such, beside texts that are neither", async () => {
  const source = await aDataSource({ connection: mysqlConnection });
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, source.id));
  for (const statement of textTable((name) => `\`${name}\``)) await mysql.query(statement);
  await findsWhatIsPlantedInTexts(await asEditor(), source.id, mysqlConnection.database);
});
