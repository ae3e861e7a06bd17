import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bigquery } from "../../data-sources/engines/bigquery.ts";
import type { Source } from "../../data-sources/engines/engine.ts";
import { env } from "../../env.ts";
import { bigQueryConnection, runOnBigQuery } from "../../test/bigquery.ts";
import { compileSample } from "../compile.ts";
import { executionFailed, measureRule, measureTogether } from "../measure-rule.ts";
import { roundScore } from "../score.ts";
import { type ExpectedVerdict, sameVerdicts } from "./same-verdicts.fixture.ts";

const schemaName = "rules_test";
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString().replace("Z", "+00");

/** A BIGNUMERIC has 38 digits after the point; the emulator's has 18. */
const needsWideDecimals = ([, table, { max }]: ExpectedVerdict) => table === "exact" && max === "0.1";

/**
 * The rules on an emulator of BigQuery, if TEST_BIGQUERY_URL is set. The rows and verdicts are those of
 * `same-on-mysql.test.ts`, which holds PostgreSQL and MySQL to them.
 */
describe.skipIf(!bigQueryConnection)("rules on BigQuery", () => {
  const target = bigQueryConnection ?? ({} as NonNullable<typeof bigQueryConnection>);
  let source: Source;

  async function load(table: string, columns: Record<string, string>, rows: (string | null)[][]) {
    const defined = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
    await runOnBigQuery(target, `create table ${schemaName}.${table} (${defined.join(", ")})`);
    if (rows.length === 0) return;
    const types = Object.values(columns);
    const cell = (value: string | null, at: number) =>
      value === null ? "null" : `cast('${value}' as ${types[at]?.replace(/\(.*/, "")})`;
    const tuples = rows.map((row) => `(${row.map(cell).join(", ")})`).join(", ");
    await runOnBigQuery(target, `insert into ${schemaName}.${table} values ${tuples}`);
  }

  beforeAll(async () => {
    env().OUTBOUND_ALLOW = "127.0.0.1";
    source = bigquery.open(target);
    await runOnBigQuery(target, `drop schema if exists ${schemaName} cascade`);
    await runOnBigQuery(target, `create schema ${schemaName}`);
    await load("customers", { id: "INT64", name: "STRING" }, [
      ["1", "Ada"],
      ["2", "Grace"],
      ["3", "Edsger"],
    ]);
    await load(
      "orders",
      {
        ...{
          id: "INT64",
          customer_id: "INT64",
          price: "NUMERIC(12, 2)",
          weight: "FLOAT64",
          ratio: "FLOAT64",
        },
        ...{ amount: "INT64", code: "STRING", seen_at: "TIMESTAMP", day: "DATE" },
      },
      [
        ["1", "1", "10.00", "0.1", "0.1", "9007199254740991", "A-001", ago(5000), null],
        ["2", "2", "20.00", "0.2", "0.2", "9007199254740992", "A-002", ago(90), ago(90).slice(0, 10)],
        ["3", "3", "30.00", "0.30000000000000004", "0.3", "9007199254740993", "B-003", null, null],
        ["3", null, null, null, "16777216", null, null, null, null],
      ],
    );
    const few = { id: "INT64", code: "STRING", seen_at: "TIMESTAMP", weight: "FLOAT64" };
    await load("empty", few, []);
    await load("nulls", few, Array(5).fill(Array(4).fill(null)));
    await load("orphans", { customer_id: "INT64" }, [["1"], ["7"], ["7"], [null]]);
    await load("texts", { value: "STRING" }, [["12"], ["20.5"], ["1e1"], [".5"], [null]]);
    await load("words", { value: "STRING" }, [["12"], ["twelve"]]);
    await load("exact", { value: "BIGNUMERIC" }, [
      ["0.10000000000000000001"],
      ["-123456789012345678.5"],
      ["1"],
    ]);
    await load("future", { seen_at: "TIMESTAMP" }, [[ago(-60)]]);
  }, 60_000);
  afterAll(async () => {
    await source.close();
    await runOnBigQuery(target, `drop schema if exists ${schemaName} cascade`);
    env().OUTBOUND_ALLOW = undefined;
  });

  test.each<ExpectedVerdict>([
    ...sameVerdicts.filter((each) => !needsWideDecimals(each)),
    // 10, 20, and 30.
    ["Mean", "orders", { column: "price", min: "20", max: "20" }, true, 100],
    ["Mean", "orders", { column: "price", max: "19.99" }, false, 0],
    ["Schema", "words", { columns: [{ name: "value", type: "STRING", nullable: true }] }, true, 100],
    ["Schema", "words", { columns: [{ name: "value", type: "INT64", nullable: true }] }, false, 0],
    ["CustomSql", "orders", { sql: "select count(*) = 4 as passed from rules_test.orders" }, true, 100],
    ["CustomSql", "orders", { sql: "select * from external_query('us.sql', 'select 1')" }, false, 0],
  ])("%s on %s, %o: %s, %d", async (type, tableName, configuration, passed, score) => {
    const rule = { type, configuration };
    const verdict = await source.session((session) =>
      measureRule(session, bigquery.dialect, { schemaName, tableName }, rule).catch(executionFailed),
    );
    expect({ ...verdict, score: roundScore(verdict.score) }, String(verdict.message)).toMatchObject({
      passed,
      score,
    });
  });

  const measured = [
    { type: "Volume", configuration: { minRows: 4 } },
    { type: "NullRate", configuration: { column: "seen_at", maxNullPercent: 50 } },
    { type: "Range", configuration: { column: "price", min: "10.01" } },
    { type: "Pattern", configuration: { column: "code", pattern: "^A" } },
    { type: "Mean", configuration: { column: "price", max: "20" } },
    { type: "Freshness", configuration: { column: "seen_at", maxAgeMinutes: 91 } },
  ] as const;

  test("rules that only aggregate share one scan, with the scores that each has alone", async () => {
    const verdicts = await source.session((session) =>
      measureTogether(session, bigquery.dialect, { schemaName, tableName: "orders" }, measured),
    );
    // One of four prices is out of bounds, and one code misses, which is all or nothing.
    expect(verdicts.map(({ score }) => roundScore(score))).toEqual([100, 100, 75, 0, 100, 100]);
  });

  test("rules are measured by group, and about some rows", async () => {
    const measure = (configuration: Record<string, unknown>) =>
      source.session((session) =>
        measureRule(
          session,
          bigquery.dialect,
          { schemaName, tableName: "orders" },
          { type: "Range", configuration },
        ),
      );
    const byGroup = await measure({ column: "price", max: "25", groupBy: ["customer_id"] });
    expect([byGroup.couldRun, byGroup.passed], String(byGroup.message)).toEqual([true, false]);
    const some = await measure({ column: "price", max: "25", where: "code like 'A%'" });
    expect(some.passed, String(some.message)).toBe(true);
    const recent = await measure({ column: "price", max: "25", timeColumn: "seen_at", lastHours: 2 });
    expect(recent.passed, String(recent.message)).toBe(true);
  });

  test.each([
    ...measured.slice(2, 4),
    { type: "Uniqueness", configuration: { column: "id" } },
    { type: "AllowedValues", configuration: { column: "code", values: ["A-001"] } },
    { type: "RowCondition", configuration: { condition: "price > 10" } },
  ] as const)("some of the rows that fail $type are shown", async ({ type, configuration }) => {
    const target = { schemaName, tableName: "orders" };
    const statement = compileSample({ type, configuration }, target, bigquery.dialect, { maxRows: 5 });
    if (!statement) throw new Error("It has a sample");
    const limits = { timeoutMs: 10_000, maxRows: 5, maxBytes: 100_000 };
    const { rows } = await source.session((session) => session.read(statement, limits));
    expect(rows.length).toBeGreaterThan(0);
  });
});
