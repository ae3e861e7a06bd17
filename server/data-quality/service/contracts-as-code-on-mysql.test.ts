import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { anOdcsFile } from "../../test/factories/odcs.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { exportContract, importContracts } from "./contract-files.ts";
import { evaluateContract } from "./evaluate.ts";
import { suggestRules } from "./suggest-rules.ts";

/** Contracts as files and suggestions, in the SQL of MySQL and MariaDB. */

let dataSourceId: number;

beforeAll(async () => {
  dataSourceId = (await aDataSource({ kind: "MySql", connection: mysqlConnection })).id;
  await mysql.query(`
    create table customers (id int primary key);
    insert into customers values (1), (2), (3);
    create table orders (
      id int primary key auto_increment, customer_id int, amount decimal(10, 2), ratio double,
      currency char(3), status varchar(20), placed_at datetime(6), is_open tinyint(1), extra json,
      foreign key (customer_id) references customers (id));`);
  const rows = Array.from({ length: 60 }, (_, index) => [
    ...[1 + (index % 3), index * 1.25, index / 7, ["EUR", "USD", "GBP"][index % 3]],
    ...[index === 7 ? "" : ["paid", "open"][index % 2], index % 2, "{}"],
  ]);
  await mysql.query(
    "insert into orders (customer_id, amount, ratio, currency, status, is_open, extra) values ?",
    [rows],
  );
  await mysql.query(
    "update orders set placed_at = utc_timestamp() - interval id minute; analyze table orders",
  );
});
afterAll(closeSources);

test("every suggested rule passes immediately", async () => {
  const editor = await asEditor();
  const { items, note } = await suggestRules(editor, { dataSourceId, tableName: "orders" });
  expect(note).toBeNull();
  const found = items.map(({ rule: { column, type, configuration } }) => ({ column, type, configuration }));
  for (const expected of [
    { column: null, type: "Volume", configuration: { minRows: 30, maxRows: 120 } },
    { column: "id", type: "Uniqueness" },
    { column: "customer_id", type: "Referential" },
    { column: "currency", type: "Pattern", configuration: { column: "currency", pattern: "^[A-Z]{3}$" } },
    { column: "amount", type: "Range", configuration: { column: "amount", min: "0", max: "90" } },
    { column: "ratio", type: "Range" },
    { column: "placed_at", type: "Freshness", configuration: { column: "placed_at", maxAgeMinutes: 60 } },
    { column: "extra", type: "NullRate" },
  ])
    expect.soft(found).toContainEqual(expect.objectContaining(expected));
  const rules = items.map(({ rule }) => rule);
  const contract = await aContract({ dataSourceId, tableName: "orders", rules }, editor);
  const { ruleResults, overallScore } = await evaluateContract(editor, contract.id);
  expect(ruleResults.filter(({ passed }) => !passed)).toEqual([]);
  expect(overallScore).toBe(100);
});

test("a third-party file is measured as it says, and its export says the same", async () => {
  const checks = [
    ["metric: missingValues, arguments: {missingValues: [null, '']}, mustBe: 1", true],
    ["metric: invalidValues, arguments: {validValues: [paid, open]}, mustBe: 1", true],
    [
      "metric: invalidValues, arguments: {validValues: [paid, open]}, unit: percent, mustBeLessThan: 1.6",
      false,
    ],
    ["metric: invalidValues, arguments: {pattern: '^\\w+$'}, mustBe: 1", true],
    ["metric: invalidValues, arguments: {pattern: '^\\w+$'}, mustBeLessThan: 1", false],
    ["metric: duplicateValues, mustBe: 57", true],
    ["metric: nullValues, unit: percent, mustBeLessThan: 0.1", true],
    ["type: sql, query: 'select max({column}) from {table};', mustBe: paid", true],
    ["type: sql, query: 'with w as (select 5 as n) select n from w', mustNotBeBetween: [4, 6]", false],
  ] as const;
  const editor = await asEditor();
  const { contracts, unmapped } = await importContracts(editor, {
    dataSourceId,
    yaml: anOdcsFile(`  - name: orders
    quality: [{metric: rowCount, mustNotBe: 0, schedule: 0 5 * * *}]
    properties:
      - name: status
        quality:
${checks.map(([check]) => `          - {${check}}`).join("\n")}
`),
  });
  expect(unmapped).toEqual([]);
  const id = contracts[0]?.id ?? 0;
  const { ruleResults, overallScore } = await evaluateContract(editor, id);
  expect(ruleResults.filter(({ message }) => message?.startsWith("Execution"))).toEqual([]);
  expect(ruleResults.map(({ passed }) => passed)).toEqual([true, ...checks.map(([, passed]) => passed)]);

  const yaml = await exportContract(editor, { id, version: "3.1" });
  const again = await importContracts(editor, { dataSourceId, yaml });
  expect(again.unmapped).toEqual([]);
  const copy = await evaluateContract(editor, again.contracts[0]?.id ?? 0);
  expect(copy.overallScore).toBe(overallScore);
});
