import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db, sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { allowedTestFolder, filesConnection } from "../../test/files.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { evaluations, ruleScores } from "../evaluations/tables.ts";
import { evaluateContract } from "../service/evaluate.ts";
import { readColumns } from "../service/read-columns.ts";
import { optionFields } from "./rule-options.ts";
import { type RuleType, ruleDefinition, ruleTypes } from "./rules.ts";
import type { TableColumn } from "./table-columns.ts";

/**
 * What every kind of rule scores with each of its properties and options, worked out by hand: the same on PostgreSQL,
 * MySQL or MariaDB, and DuckDB. The last test says which kind, property, or option has no case.
 */

type Place = { schema: string; dataSourceId: number; columns: TableColumn[] };
type Configuration = Record<string, unknown>;
type Case = [
  RuleType,
  Configuration | ((place: Place) => Configuration),
  passed: boolean,
  score: number,
  /** What the rule measured each day for forty days, always the same. */
  past?: number,
];

// Ten sales. Paid are 1 to 4, 7, and 8. 1 to 6 are an hour old, the others a hundred hours.
const sales: [number, string, number | null, string, number, number][] = [
  [1, "paid", 10, "A1", 1, 1],
  [2, "paid", 20, "A2", 2, 1],
  [3, "paid", -5, "A3", 9, 1],
  [4, "paid", null, "bad", 1, 1],
  [5, "draft", -1, "A1", 9, 1],
  [6, "draft", -2, "bad2", 9, 1],
  [7, "paid", 30, "A7", 2, 100],
  [8, "paid", -9, "A7", 2, 100],
  [9, "draft", 5, "A9", 1, 100],
  [10, "draft", 6, "A9", 1, 100],
];

const paid = { where: "status = 'paid'" };
const recent = { lastHours: 48, timeColumn: "placed_at" };
const byStatus = { groupBy: ["status"] };
const amount = { column: "amount" };
const code = { column: "code" };
const pair = { columns: ["code", "buyer_id"] };
const buyers = { column: "buyer_id", referenceTable: "buyers", referenceColumn: "id" };
const shape = { ...code, pattern: "^A[0-9]$" };
const isPositive = { condition: "amount > 0" };
const placed = { column: "placed_at" };
// In the copy, 1 has another amount, 10 is gone, and 11 is new: a draft of 5.
const copy = { otherTable: "sales_copy" };
const sums = { ...copy, by: "Aggregates", columns: ["amount"] };

const cases: Case[] = [
  ["Volume", { minRows: 10, maxRows: 10 }, true, 100],
  ["Volume", { minRows: 11 }, false, 0],
  ["Volume", { maxRows: 9 }, false, 0],
  ["Volume", { minRows: 6, maxRows: 6, ...paid }, true, 100],
  ["Volume", { minRows: 7, ...recent }, false, 0],
  ["Volume", { minRows: 4, ...byStatus }, true, 100],
  // There are four drafts.
  ["Volume", { minRows: 5, ...byStatus }, false, 0],
  ["Volume", { usual: "Both" }, true, 100, 10],
  ["Volume", { usual: "Both" }, false, 0, 1000],
  ["Volume", { usual: "Above" }, true, 100, 1000],
  ["Volume", { usual: "Below", usualWidth: 2 }, false, 0, 1000],

  // One of ten is NULL.
  ["NullRate", { ...amount, maxNullPercent: 10 }, true, 100],
  // 100 − (10 − 4)
  ["NullRate", { ...amount, maxNullPercent: 4 }, false, 94],
  // One of six: 100 − 16.67
  ["NullRate", { ...amount, maxNullPercent: 0, ...paid }, false, 83.33],
  ["NullRate", { ...amount, maxNullPercent: 0, ...recent }, false, 83.33],
  // Of those that are paid too many are NULL, of all of them not.
  ["NullRate", { ...amount, maxNullPercent: 12, ...byStatus }, false, 100],
  ["NullRate", { ...amount, maxNullPercent: 17, ...byStatus }, true, 100],
  ["NullRate", { ...amount, usual: "Both" }, true, 100, 10],
  ["NullRate", { ...amount, usual: "Above", usualWidth: 2 }, true, 100, 50],

  ["Uniqueness", { column: "id" }, true, 100],
  // A1, A7, and A9: three values in six rows.
  ["Uniqueness", code, false, 0],
  ["Uniqueness", { ...code, maxFailingRows: 6 }, true, 100],
  ["Uniqueness", { ...code, maxFailingRows: 5 }, false, 0],
  ["Uniqueness", { ...code, maxFailingPercent: 60 }, true, 100],
  ["Uniqueness", { ...code, maxFailingPercent: 59 }, false, 0],
  // A1 is also that of 5.
  ["Uniqueness", { ...code, where: "id <= 4", duplicatesAmong: "Table" }, false, 0],
  ["Uniqueness", { ...code, where: "id <= 4", duplicatesAmong: "Rows" }, true, 100],
  ["Uniqueness", { ...code, ...recent }, false, 0],
  ["Uniqueness", { column: "id", ...byStatus }, true, 100],
  ["Uniqueness", { ...code, ...byStatus }, false, 0],

  ["UniqueCombination", { columns: ["id", "code"] }, true, 100],
  // A7 of 2 and A9 of 1 occur twice each; A1 is of two buyers.
  ["UniqueCombination", pair, false, 0],
  ["UniqueCombination", { ...pair, maxFailingRows: 4 }, true, 100],
  ["UniqueCombination", { ...pair, maxFailingRows: 3 }, false, 0],
  ["UniqueCombination", { ...pair, maxFailingPercent: 40 }, true, 100],
  ["UniqueCombination", { ...pair, maxFailingPercent: 39 }, false, 0],
  ["UniqueCombination", { ...pair, where: "id = 9" }, false, 0],
  ["UniqueCombination", { ...pair, where: "id = 9", duplicatesAmong: "Rows" }, true, 100],
  ["UniqueCombination", { ...pair, ...recent }, true, 100],
  ["UniqueCombination", { ...pair, ...byStatus, maxFailingRows: 2 }, true, 100],
  ["UniqueCombination", { ...pair, ...byStatus }, false, 0],

  // Buyer 9 of 3, 5, and 6 does not exist.
  ["Referential", buyers, false, 0],
  ["Referential", ({ schema }) => ({ ...buyers, referenceSchema: schema, where: "id < 3" }), true, 100],
  ["Referential", { ...buyers, referenceSchema: "nowhere" }, false, 0],
  ["Referential", { ...buyers, ...paid }, false, 0],
  ["Referential", { ...buyers, maxFailingRows: 3 }, true, 100],
  ["Referential", { ...buyers, maxFailingRows: 2 }, false, 0],
  ["Referential", { ...buyers, maxFailingPercent: 30 }, true, 100],
  ["Referential", { ...buyers, maxFailingPercent: 29 }, false, 0],
  // Three of six.
  ["Referential", { ...buyers, ...recent, maxFailingPercent: 50 }, true, 100],
  ["Referential", { ...buyers, ...recent, maxFailingPercent: 49 }, false, 0],
  // Two drafts, and one that is paid.
  ["Referential", { ...buyers, ...byStatus, maxFailingRows: 2 }, true, 100],
  ["Referential", { ...buyers, ...byStatus, maxFailingRows: 1 }, false, 0],

  ["Range", { ...amount, min: "-9", max: "30" }, true, 100],
  // Four of ten are negative: (1 − 4/10) × 100
  ["Range", { ...amount, min: "0" }, false, 60],
  ["Range", { ...amount, max: "29.9" }, false, 90],
  ["Range", { ...amount, min: "0", ...paid }, false, 66.67],
  ["Range", { ...amount, min: "0", ...recent }, false, 50],
  ["Range", { ...amount, min: "0", maxFailingRows: 4 }, true, 100],
  ["Range", { ...amount, min: "0", maxFailingRows: 3 }, false, 60],
  ["Range", { ...amount, min: "0", maxFailingPercent: 40 }, true, 100],
  ["Range", { ...amount, min: "0", maxFailingPercent: 39 }, false, 60],
  ["Range", { ...amount, min: "0", ...byStatus }, false, 60],
  ["Range", { ...amount, min: "0", ...byStatus, maxFailingRows: 2 }, true, 100],

  // 4 is "bad", and 6 is "bad2".
  ["Pattern", shape, false, 0],
  ["Pattern", { ...shape, where: "id < 4" }, true, 100],
  ["Pattern", { ...shape, ...recent }, false, 0],
  ["Pattern", { ...shape, maxFailingRows: 2 }, true, 100],
  ["Pattern", { ...shape, maxFailingRows: 1 }, false, 0],
  ["Pattern", { ...shape, maxFailingPercent: 20 }, true, 100],
  ["Pattern", { ...shape, maxFailingPercent: 19 }, false, 0],
  ["Pattern", { ...shape, ...byStatus }, false, 0],
  ["Pattern", { ...shape, ...byStatus, maxFailingRows: 1 }, true, 100],

  ["AllowedValues", { column: "status", values: ["paid", "draft"] }, true, 100],
  ["AllowedValues", { column: "status", values: ["paid"] }, false, 0],
  ["AllowedValues", { column: "status", values: ["Paid", "draft"] }, false, 0],
  ["AllowedValues", buyers, false, 0],
  ["AllowedValues", ({ schema }) => ({ ...buyers, referenceSchema: schema, where: "id < 3" }), true, 100],
  ["AllowedValues", { column: "status", values: ["paid"], ...paid }, true, 100],
  ["AllowedValues", { ...code, values: ["A1", "A2", "A3", "bad"], ...recent }, false, 0],
  ["AllowedValues", { ...code, values: ["A1", "A2", "A3", "bad", "bad2"], ...recent }, true, 100],
  ["AllowedValues", { column: "status", values: ["paid"], maxFailingRows: 4 }, true, 100],
  ["AllowedValues", { column: "status", values: ["paid"], maxFailingRows: 3 }, false, 0],
  ["AllowedValues", { column: "status", values: ["paid"], maxFailingPercent: 40 }, true, 100],
  ["AllowedValues", { column: "status", values: ["paid"], maxFailingPercent: 39 }, false, 0],
  ["AllowedValues", { ...code, values: ["A1"], ...byStatus }, false, 0],
  // All but A1: five that are paid, and three drafts.
  ["AllowedValues", { ...code, values: ["A1"], ...byStatus, maxFailingRows: 5 }, true, 100],

  // 3, 5, 6, and 8 are negative, and of 4 it is unknown.
  ["RowCondition", isPositive, false, 60],
  ["RowCondition", { ...isPositive, whenUnknown: "Pass" }, false, 60],
  ["RowCondition", { ...isPositive, whenUnknown: "Fail" }, false, 50],
  ["RowCondition", { condition: "amount between -9 and 30" }, true, 100],
  ["RowCondition", { ...isPositive, ...paid }, false, 66.67],
  // Four of six.
  ["RowCondition", { ...isPositive, whenUnknown: "Fail", ...recent }, false, 33.33],
  ["RowCondition", { ...isPositive, maxFailingRows: 4 }, true, 100],
  ["RowCondition", { ...isPositive, maxFailingRows: 3 }, false, 60],
  ["RowCondition", { ...isPositive, maxFailingPercent: 40 }, true, 100],
  ["RowCondition", { ...isPositive, maxFailingPercent: 39 }, false, 60],
  ["RowCondition", { ...isPositive, ...byStatus }, false, 60],
  ["RowCondition", { ...isPositive, ...byStatus, maxFailingRows: 2 }, true, 100],

  ["Freshness", { ...placed, maxAgeMinutes: 65 }, true, 100],
  ["Freshness", { ...placed, maxAgeMinutes: 59 }, false, 0],
  ["Freshness", { ...placed, maxAgeMinutes: 65, where: "id >= 7" }, false, 0],
  ["Freshness", { ...placed, maxAgeMinutes: 6005, where: "id >= 7" }, true, 100],
  ["Freshness", { ...placed, maxAgeMinutes: 65, ...recent }, true, 100],
  ["Freshness", { ...placed, maxAgeMinutes: 65, ...byStatus }, true, 100],
  // Buyer 2 has one of an hour ago, too.
  ["Freshness", { ...placed, maxAgeMinutes: 65, groupBy: ["buyer_id"] }, true, 100],
  ["Freshness", { ...placed, maxAgeMinutes: 65, groupBy: ["code"] }, false, 0],
  ["Freshness", { ...placed, usual: "Both", usualWidth: 8 }, true, 100, 60],
  ["Freshness", { ...placed, usual: "Above" }, false, 0, 1],

  // Nine values are 54 in all: 6.
  ["Mean", { ...amount, min: "6", max: "6" }, true, 100],
  ["Mean", { ...amount, min: "6.01" }, false, 0],
  ["Mean", { ...amount, max: "5.99" }, false, 0],
  // Five are 46.
  ["Mean", { ...amount, min: "9.2", max: "9.2", ...paid }, true, 100],
  // Five are 22.
  ["Mean", { ...amount, min: "4.4", max: "4.4", ...recent }, true, 100],
  // Of drafts, four are 8.
  ["Mean", { ...amount, min: "2", ...byStatus }, true, 100],
  ["Mean", { ...amount, min: "2.1", ...byStatus }, false, 0],
  ["Mean", { ...amount, usual: "Both", usualWidth: 3 }, true, 100, 6],
  ["Mean", { ...amount, usual: "Below" }, false, 0, 500],

  ["CustomSql", { sql: "select 1 as passed" }, true, 100],
  ["CustomSql", { sql: "select 0 as passed" }, false, 0],
  ["CustomSql", { sql: "select 0 as passed, 42.5 as score" }, false, 42.5],
  ["CustomSql", { sql: "select 2 as passed" }, false, 0],

  ["Schema", ({ columns }) => ({ columns }), true, 100],
  // What is added is reported only, what is gone fails, and the order does not matter, unless told otherwise.
  ["Schema", ({ columns }) => ({ columns: columns.slice(1) }), true, 100],
  ["Schema", ({ columns }) => ({ columns: columns.slice(1), whenAdded: "Fail" }), false, 0],
  ["Schema", (place) => ({ columns: withOneMore(place) }), false, 0],
  ["Schema", (place) => ({ columns: withOneMore(place), whenRemoved: "Ignore" }), true, 100],
  ["Schema", (place) => ({ columns: withFirst(place, { type: "odd" }) }), false, 0],
  ["Schema", (place) => ({ columns: withFirst(place, { type: "odd" }), whenTypeChanged: "Warn" }), true, 100],
  ["Schema", (place) => ({ columns: withOtherNulls(place) }), false, 0],
  ["Schema", (place) => ({ columns: withOtherNulls(place), whenNullabilityChanged: "Ignore" }), true, 100],
  ["Schema", ({ columns }) => ({ columns: columns.toReversed() }), true, 100],
  ["Schema", ({ columns }) => ({ columns: columns.toReversed(), whenMoved: "Fail" }), false, 0],

  ["Compare", { ...copy, key: ["id"] }, false, 0],
  ["Compare", { otherTable: "sales", key: ["id"] }, true, 100],
  // 10 and 11 differ, whatever the columns.
  ["Compare", { ...copy, key: ["id"], columns: ["status"], maxFailingRows: 2 }, true, 100],
  ["Compare", { ...copy, key: ["id"], columns: ["amount"], maxFailingRows: 2 }, false, 0],
  // Three, of ten here.
  ["Compare", { ...copy, key: ["id"], maxFailingPercent: 30 }, true, 100],
  ["Compare", { ...copy, key: ["id"], maxFailingPercent: 29 }, false, 0],
  ["Compare", { ...copy, key: ["id"], where: "id between 2 and 9" }, true, 100],
  ["Compare", { ...copy, by: "RowCount" }, true, 100],
  ["Compare", { ...copy, by: "RowCount", where: "id < 11" }, false, 0],
  ["Compare", { ...copy, by: "RowCount", where: "id < 11", maxFailingRows: 1 }, true, 100],
  [
    "Compare",
    ({ schema, dataSourceId }) => ({
      ...{ ...copy, by: "RowCount", otherSchema: schema, otherDataSourceId: dataSourceId },
    }),
    true,
    100,
  ],
  // 54 on both sides: 1 more, 6 less, and 5 more.
  ["Compare", { ...sums, functions: ["Sum", "Average", "Min", "Max", "Count"] }, true, 100],
  ["Compare", { ...sums, where: "id < 11" }, false, 0],
  // 46 that are paid are 47 there, and drafts of 8 are of 7: 12.5 % off.
  ["Compare", { ...sums, ...byStatus }, false, 0],
  ["Compare", { ...sums, ...byStatus, tolerancePercent: 12 }, false, 0],
  ["Compare", { ...sums, ...byStatus, tolerancePercent: 13 }, true, 100],
];

const withOneMore = ({ columns }: Place) => [...columns, { name: "gone", type: "integer", nullable: true }];
const withFirst = ({ columns: [first, ...others] }: Place, change: Partial<TableColumn>) => [
  { ...first, ...change },
  ...others,
];
const withOtherNulls = (place: Place) => withFirst(place, { nullable: !place.columns[0]?.nullable });

const folder = allowedTestFolder();
const places: Record<string, Place> = {};
let ctx: SignedIn;

const statements = (time: string): string[] => {
  const columns = `id int not null, status varchar(10), amount int, code varchar(10), buyer_id int, placed_at ${time}`;
  const at = (hours: number) =>
    new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  const rows = sales.map(
    ([id, status, value, text, buyer, hours]) =>
      `(${id}, '${status}', ${value}, '${text}', ${buyer}, '${at(hours)}')`,
  );
  return [
    "create table buyers (id int)",
    "insert into buyers values (1), (2)",
    `create table sales (${columns})`,
    `insert into sales values ${rows.join(", ")}`,
    `create table sales_copy (${columns})`,
    "insert into sales_copy select * from sales where id < 10",
    "update sales_copy set amount = 11 where id = 1",
    `insert into sales_copy values (11, 'draft', 5, 'A9', 1, '${at(100)}')`,
  ];
};

async function aFolder() {
  const values = { name: "Exports", kind: "Files", connection: filesConnection(folder) } as const;
  const [row] = await db
    .insert(dataSources)
    .values({ projectId: (await aProject()).id, ...values })
    .returning();
  if (!row) throw new Error("The insert returned no data source");
  return row;
}

beforeAll(async () => {
  ctx = await asAdmin();
  for (const text of statements("timestamp")) await sql.unsafe(text);
  for (const text of statements("datetime")) await mysql.query(text);
  const instance = await DuckDBInstance.create(join(folder, "shop.duckdb"));
  const connection = await instance.connect();
  for (const text of statements("timestamp")) await connection.run(text);
  connection.closeSync();
  instance.closeSync();
  const sources = {
    PostgreSQL: [await aDataSource(), "public"],
    MySQL: [await aDataSource({ kind: "MySql", connection: mysqlConnection }), mysqlConnection.database],
    DuckDB: [await aFolder(), "shop"],
  } as const;
  for (const [engine, [{ id: dataSourceId }, schema]] of Object.entries(sources)) {
    const { items: columns } = await readColumns(ctx, {
      dataSourceId,
      schemaName: schema,
      tableName: "sales",
    });
    places[engine] = { schema, dataSourceId, columns };
  }
});
afterAll(closeSources);

const day = 86_400_000;

/** Evaluates all of these as rules of one contract, those that learn after forty days. */
async function evaluated(place: Place, chosen: readonly Case[]) {
  const rules = chosen.map(([type, given], index) =>
    aRule(type, typeof given === "function" ? given(place) : given, { name: `${index} ${type}` }),
  );
  const { dataSourceId, schema: schemaName } = place;
  const contract = await aContract({ dataSourceId, schemaName, tableName: "sales", rules }, ctx);
  const learning = contract.rules.flatMap((rule, index) => {
    const past = chosen[index]?.[4];
    return past === undefined ? [] : { rule, past };
  });
  for (let ago = 40; ago > 0 && learning.length > 0; ago--) {
    const evaluatedAt = new Date(Date.now() - ago * day);
    const [evaluation] = await db
      .insert(evaluations)
      .values({
        ...{ contractId: contract.id, trigger: "Scheduled", status: "Completed", version: 1 },
        ...{ leaseToken: randomUUID(), leaseUntil: evaluatedAt, rulesTotal: rules.length },
        ...{ dataSourceId, schemaName, tableName: "sales" },
        ...{ evaluatedAt, startedAt: evaluatedAt, overallScore: 100, passedCount: 1, failedCount: 0 },
      })
      .returning({ id: evaluations.id });
    await db.insert(ruleScores).values(
      learning.map(({ rule, past }, position) => ({
        ...{ evaluationId: evaluation?.id ?? 0, key: rule.key, contractId: contract.id, evaluatedAt },
        ...{ position, name: rule.name, type: rule.type, passed: true, score: 100, measured: past },
      })),
    );
  }
  return (await evaluateContract(ctx, contract.id)).ruleResults;
}

describe.each(["PostgreSQL", "MySQL", "DuckDB"])("on %s", (engine) => {
  test.each(ruleTypes)("%s scores what is worked out by hand", async (type) => {
    const place = places[engine];
    if (!place) throw new Error(`There is no ${engine}`);
    const own = cases.filter(([each]) => each === type);
    const results = await evaluated(place, own);
    const written = (index: number) => {
      const given = own[index]?.[1] ?? {};
      return JSON.stringify(typeof given === "function" ? given(place) : given);
    };
    expect(
      results.map(({ passed, score, message }, index) => [
        ...[written(index), passed, score],
        ...(passed === own[index]?.[2] ? [] : [message]),
      ]),
    ).toEqual(own.map(([, , passed, score], index) => [written(index), passed, score]));
  });
});

test("every property and option of every kind of rule has a case", () => {
  const place: Place = { schema: "s", dataSourceId: 1, columns: [{ name: "a", type: "b", nullable: true }] };
  const lacking = ruleTypes.flatMap((type) => {
    const definition = ruleDefinition(type);
    const known = [...Object.keys(definition.fields), ...Object.keys(optionFields(definition, {}))];
    const tried = new Set(
      cases.flatMap(([each, given]) =>
        each === type ? Object.keys(typeof given === "function" ? given(place) : given) : [],
      ),
    );
    return known.filter((key) => !tried.has(key)).map((key) => `${type}.${key}`);
  });
  expect(lacking).toEqual([]);
});
