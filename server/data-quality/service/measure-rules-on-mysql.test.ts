import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import type { RuleType } from "../rules/rules.ts";
import { measureRules } from "./measure-rules.ts";

/** Parameters are positional here, so a shared scan must bind them in the order of its text. */

type Rule = { type: RuleType; configuration: Record<string, unknown> };

let dataSourceId: number;

beforeAll(async () => {
  dataSourceId = (await aDataSource({ connection: mysqlConnection })).id;
  await db.update(dataSources).set({ kind: "MySql" }).where(eq(dataSources.id, dataSourceId));
  await mysql.query(`
    create table orders (id int, price decimal(20, 2), weight double, code varchar(20), seen_at datetime);
    insert into orders values
      (1, 10.00, 0.1, 'A-1', '2020-01-01'), (2, 20.00, 0.2, 'x', null), (3, null, 5, null, '2020-01-02');
    create table empty like orders`);
});

afterAll(closeSources);

const sound: Rule[] = [
  { type: "Range", configuration: { column: "price", min: "15", max: "25" } },
  { type: "Volume", configuration: { minRows: 3 } },
  { type: "NullRate", configuration: { column: "code", maxNullPercent: 10 } },
  { type: "Range", configuration: { column: "weight", max: "0.2" } },
  { type: "Freshness", configuration: { column: "seen_at", maxAgeMinutes: 1e9 } },
  { type: "Range", configuration: { column: "id", min: "1" } },
  { type: "Uniqueness", configuration: { column: "id" } },
];
const broken: Rule[] = [
  { type: "NullRate", configuration: { column: "missing", maxNullPercent: 10 } },
  { type: "Range", configuration: { column: "code", min: "1" } },
];

async function verdicts(tableName: string, rules: Rule[], sharing: boolean) {
  const target = { dataSourceId, schemaName: mysqlConnection.database, tableName };
  const measured = await measureRules({ ...target, rules }, async () => {}, { sharing });
  return measured.map(({ rule: { type }, verdict }) => {
    // How a verdict would be without known values is no part of it.
    const { score, actualValue, measured, withoutValues: _, ...rest } = verdict;
    return {
      ...rest,
      score: score.toFixed(2),
      // An age increases while it is measured.
      measured: type === "Freshness" && measured !== null ? "some age" : measured,
      actualValue: actualValue?.replace(/^[\d,.]+ min old$/, "some age") ?? null,
    };
  });
}

test.each(["orders", "empty"])(
  "rules that share a scan are judged as if each were alone (%s)",
  async (table) => {
    for (const rules of [sound, [...broken, ...sound], sound.toReversed()])
      expect(await verdicts(table, rules, true)).toEqual(await verdicts(table, rules, false));
  },
);

test("each has its own score", async () => {
  // 1 of 3 is out of range; passes; 33.33% are NULL, 23.33 over: 76.67; 1 of 3 is out of range; three that pass.
  expect((await verdicts("orders", sound, true)).map(({ score }) => score)).toEqual([
    "66.67",
    "100.00",
    "76.67",
    "66.67",
    "100.00",
    "100.00",
    "100.00",
  ]);
});
