import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clickhouse } from "../../data-sources/engines/clickhouse.ts";
import type { Source } from "../../data-sources/engines/engine.ts";
import { clickHouseConnection, runOnClickHouse } from "../../test/clickhouse.ts";
import { executionFailed, measureRule } from "../measure-rule.ts";
import { roundScore } from "../score.ts";
import { type ExpectedVerdict, sameVerdicts } from "./same-verdicts.fixture.ts";

const schemaName = "rules_test";
const ago = (minutes: number) =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace("T", " ").replace("Z", "");

/**
 * The rules on a real ClickHouse, if TEST_CLICKHOUSE_URL is set. The rows and verdicts are those of `same-on-mysql.test.ts`,
 * which holds PostgreSQL and MySQL to them.
 */
describe.skipIf(!clickHouseConnection)("rules on ClickHouse", () => {
  const target = clickHouseConnection ?? ({} as NonNullable<typeof clickHouseConnection>);
  let source: Source;

  async function load(table: string, columns: Record<string, string>, rows: (string | null)[][]) {
    const defined = Object.entries(columns).map(([name, type]) => `${name} Nullable(${type})`);
    await runOnClickHouse(
      target,
      `create table ${schemaName}.${table} (${defined.join(", ")}) engine = MergeTree order by tuple()`,
    );
    if (rows.length === 0) return;
    const cell = (value: string | null) => (value === null ? "null" : `'${value}'`);
    const tuples = rows.map((row) => `(${row.map(cell).join(", ")})`).join(", ");
    await runOnClickHouse(target, `insert into ${schemaName}.${table} values ${tuples}`);
  }

  beforeAll(async () => {
    source = clickhouse.open(target);
    await runOnClickHouse(target, `drop database if exists ${schemaName}`);
    await runOnClickHouse(target, `create database ${schemaName}`);
    await load("customers", { id: "Int32", name: "String" }, [
      ["1", "Ada"],
      ["2", "Grace"],
      ["3", "Edsger"],
    ]);
    await load(
      "orders",
      {
        ...{
          id: "Int32",
          customer_id: "Int32",
          price: "Decimal(12, 2)",
          weight: "Float64",
          ratio: "Float32",
        },
        ...{ amount: "Int64", code: "String", seen_at: "DateTime64(6)", day: "Date" },
      },
      [
        ["1", "1", "10.00", "0.1", "0.1", "9007199254740991", "A-001", ago(5000), null],
        ["2", "2", "20.00", "0.2", "0.2", "9007199254740992", "A-002", ago(90), ago(90).slice(0, 10)],
        ["3", "3", "30.00", "0.30000000000000004", "0.3", "9007199254740993", "B-003", null, null],
        ["3", null, null, null, "16777216", null, null, null, null],
      ],
    );
    const few = { id: "Int32", code: "String", seen_at: "DateTime64(6)", weight: "Float64" };
    await load("empty", few, []);
    await load("nulls", few, Array(5).fill(Array(4).fill(null)));
    await load("orphans", { customer_id: "Int32" }, [["1"], ["7"], ["7"], [null]]);
    await load("texts", { value: "String" }, [["12"], ["20.5"], ["1e1"], [".5"], [null]]);
    await load("words", { value: "String" }, [["12"], ["twelve"]]);
    await load("exact", { value: "Decimal(38, 20)" }, [
      ["0.10000000000000000001"],
      ["-123456789012345678.5"],
      ["1"],
    ]);
    await load("future", { seen_at: "DateTime64(6)" }, [[ago(-60)]]);
  });
  afterAll(async () => {
    await source.close();
    await runOnClickHouse(target, `drop database if exists ${schemaName}`);
  });

  test.each<ExpectedVerdict>([
    ...sameVerdicts,
    ["CustomSql", "orders", { sql: "select count(*) = 4 as passed from rules_test.orders" }, true, 100],
    ["CustomSql", "orders", { sql: "select * from url('http://127.0.0.1/', CSV, 'a String')" }, false, 0],
  ])("%s on %s, %o: %s, %d", async (type, tableName, configuration, passed, score) => {
    const rule = { type, configuration };
    const verdict = await source.session((session) =>
      measureRule(session, clickhouse.dialect, { schemaName, tableName }, rule).catch(executionFailed),
    );
    expect({ ...verdict, score: roundScore(verdict.score) }, String(verdict.message)).toMatchObject({
      passed,
      score,
    });
  });
});
