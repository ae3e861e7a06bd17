import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin as signedIn } from "../../test/factories/principals.ts";
import { asAdmin, mysql, mysqlConnection } from "../../test/mysql.ts";
import { limits } from "../limits.ts";
import { evaluateContract } from "./evaluate.ts";

let ctx: SignedIn;
let dataSourceId: number;
const usual = { ...limits };

beforeAll(async () => {
  ctx = await signedIn();
  dataSourceId = (await aDataSource({ kind: "MySql", connection: mysqlConnection })).id;
  await mysql.query(`
    create table orders (id int primary key, price decimal(10, 2), note text, seen_at datetime);
    insert into orders values
      (1, 10, null, utc_timestamp()), (2, 20, null, null), (3, 30, 'x', null), (4, 40, 'y', null)`);
});

afterEach(() => {
  Object.assign(limits, usual);
});

afterAll(closeSources);

test("a contract on MySQL is evaluated, in the database that the connection names", async () => {
  const rules = [
    aRule("Volume", { minRows: 4 }),
    // (1 − 1/4) × 100
    aRule("Range", { column: "price", max: "30" }),
    // 100 − (50 − 40)
    aRule("NullRate", { column: "note", maxNullPercent: 40 }),
    aRule("Freshness", { column: "seen_at", maxAgeMinutes: 5 }),
    aRule("Uniqueness", { column: "id" }),
    aRule("Pattern", { column: "note", pattern: "^[xyz]$" }),
    aRule("Referential", { column: "id", referenceTable: "orders", referenceColumn: "id" }),
    aRule("CustomSql", { sql: "select count(*) = 4 as passed from orders" }),
    aRule("NullRate", { column: "missing", maxNullPercent: 40 }),
  ].map((rule, position) => ({ ...rule, name: `${position} ${rule.type}` }));
  const contract = await aContract({ dataSourceId, rules }, ctx);
  expect(contract.schemaName).toBe(mysqlConnection.database);
  const { ruleResults: results } = await evaluateContract(ctx, contract.id);
  const scores = Object.fromEntries(results.map(({ ruleName, score }) => [ruleName, score]));
  expect(scores).toEqual({
    "0 Volume": 100,
    "1 Range": 75,
    "2 NullRate": 90,
    "3 Freshness": 100,
    "4 Uniqueness": 100,
    "5 Pattern": 100,
    "6 Referential": 100,
    "7 CustomSql": 100,
    "8 NullRate": 0,
  });
  expect(results.at(-1)?.message).toMatch(/^Execution failed: Unknown column 'missing'/);
});

test("a rule that takes too long is cancelled on the server, and does not affect the others", async () => {
  limits.ruleTimeoutMs = 1000;
  const slow = aRule("CustomSql", { sql: "select sleep(61) as passed -- slow rule" }, { name: "slow" });
  const contract = await aContract({ dataSourceId, rules: [slow, aRule("Volume", { minRows: 4 })] }, ctx);
  const { ruleResults: results } = await evaluateContract(ctx, contract.id);
  expect(results.map(({ ruleName, score }) => [ruleName, score])).toEqual([
    ["slow", 0],
    ["Volume", 100],
  ]);
  expect(results[0]?.message).toBe("Execution failed: The statement took longer than 1 s and was cancelled");
  const left = await asAdmin(
    "select id from information_schema.processlist where info like '%-- slow rule%' and id <> connection_id()",
  );
  expect(left).toEqual([]);
});
