import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SnowflakeConnectionWithSecret, Source } from "../../data-sources/engines/engine.ts";
import { snowflake } from "../../data-sources/engines/snowflake.ts";
import { runOnSnowflake, snowflakeConnection } from "../../test/snowflake.ts";
import { executionFailed, measureRule, measureTogether } from "../measure-rule.ts";
import { roundScore } from "../score.ts";
import { type ExpectedVerdict, sameVerdicts } from "./same-verdicts.fixture.ts";

const schemaName = "RULES_TEST";
const ago = (minutes: number) =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace("T", " ").replace("Z", "");

/**
 * The rules on an emulator of Snowflake, if TEST_SNOWFLAKE_URL is set. The rows and verdicts are those of
 * `same-on-mysql.test.ts`, which holds PostgreSQL and MySQL to them. Names are in lower case, and so always quoted.
 */
describe.skipIf(!snowflakeConnection)("rules on Snowflake", () => {
  const target = snowflakeConnection ?? ({} as SnowflakeConnectionWithSecret);
  let source: Source;

  async function load(table: string, columns: Record<string, string>, rows: (string | null)[][]) {
    const defined = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
    await runOnSnowflake(`create or replace table ${schemaName}."${table}" (${defined.join(", ")})`);
    if (rows.length === 0) return;
    const cell = (value: string | null) => (value === null ? "null" : `'${value}'`);
    const tuples = rows.map((row) => `(${row.map(cell).join(", ")})`).join(", ");
    await runOnSnowflake(`insert into ${schemaName}."${table}" values ${tuples}`);
  }

  beforeAll(async () => {
    source = snowflake.open(target);
    await runOnSnowflake(`create schema if not exists ${schemaName}`);
    await load("customers", { id: "int", name: "varchar" }, [
      ["1", "Ada"],
      ["2", "Grace"],
      ["3", "Edsger"],
    ]);
    await load(
      "orders",
      {
        ...{ id: "int", customer_id: "int", price: "number(12, 2)", weight: "double", ratio: "float" },
        ...{ amount: "int", code: "varchar", seen_at: "timestamp_ntz", day: "date" },
      },
      [
        ["1", "1", "10.00", "0.1", "0.1", "9007199254740991", "A-001", ago(5000), null],
        ["2", "2", "20.00", "0.2", "0.2", "9007199254740992", "A-002", ago(90), ago(90).slice(0, 10)],
        ["3", "3", "30.00", "0.30000000000000004", "0.3", "9007199254740993", "B-003", null, null],
        ["3", null, null, null, "16777216", null, null, null, null],
      ],
    );
    const few = { id: "int", code: "varchar", seen_at: "timestamp_ntz", weight: "double" };
    await load("empty", few, []);
    await load("nulls", few, Array(5).fill(Array(4).fill(null)));
    await load("orphans", { customer_id: "int" }, [["1"], ["7"], ["7"], [null]]);
    await load("texts", { value: "varchar" }, [["12"], ["20.5"], ["1e1"], [".5"], [null]]);
    await load("words", { value: "varchar" }, [["12"], ["twelve"]]);
    await load("exact", { value: "number(38, 18)" }, [
      ["0.100000000000000001"],
      ["-12345678901234567.5"],
      ["1"],
    ]);
    await load("future", { seen_at: "timestamp_ntz" }, [[ago(-60)]]);
  });
  afterAll(async () => {
    await source.close();
    await runOnSnowflake(`drop schema if exists ${schemaName} cascade`);
  });

  /** The emulator keeps whole numbers in 64 bits, and bounds of 100 digits do not fit. */
  const isBeyondEmulator = (configuration: Record<string, unknown>) =>
    Object.values(configuration).some((bound) => /^-?9{100}$/.test(String(bound)));
  /** A NUMBER has 38 digits, so this table has fewer than on other engines. */
  const ownExact: ExpectedVerdict[] = [
    ["Range", "exact", { column: "value", min: "-12345678901234567.50", max: "1" }, true, 100],
  ];

  test.each<ExpectedVerdict>([
    ...sameVerdicts.filter(
      ([type, , configuration]) =>
        configuration.min !== "-123456789012345678.50" &&
        // Without quotes, the name would be one in upper case.
        type !== "RowCondition" &&
        !isBeyondEmulator(configuration),
    ),
    ...ownExact,
    ["RowCondition", "orders", { condition: `"price" is null or "price" > 10` }, false, 75],
    ["CustomSql", "orders", { sql: `select count(*) = 4 as passed from ${schemaName}."orders"` }, true, 100],
    ["CustomSql", "orders", { sql: "select system$wait(1)" }, false, 0],
    ["Mean", "orders", { column: "price", min: 20, max: 20 }, true, 100],
  ])("%s on %s, %o: %s, %d", async (type, tableName, configuration, passed, score) => {
    const rule = { type, configuration };
    const verdict = await source.session((session) =>
      measureRule(session, snowflake.dialect, { schemaName, tableName }, rule).catch(executionFailed),
    );
    expect({ ...verdict, score: roundScore(verdict.score) }, String(verdict.message)).toMatchObject({
      passed,
      score,
    });
  });

  test("several rules are one scan with the same verdicts", async () => {
    const rules = [
      { type: "Volume" as const, configuration: { minRows: 4, maxRows: 4 } },
      { type: "NullRate" as const, configuration: { column: "seen_at", maxNullPercent: 10 } },
      { type: "Range" as const, configuration: { column: "price", min: "10.01" } },
      { type: "Pattern" as const, configuration: { column: "code", pattern: "^[AB]-\\d{3}$" } },
    ];
    const verdicts = await source.session((session) =>
      measureTogether(session, snowflake.dialect, { schemaName, tableName: "orders" }, rules),
    );
    expect(verdicts.map(({ passed, score }) => [passed, roundScore(score)])).toEqual([
      [true, 100],
      [false, 60],
      [false, 75],
      [true, 100],
    ]);
  });

  test("the schema has tables with types, row counts, and comments", async () => {
    await runOnSnowflake(`comment on table ${schemaName}."orders" is 'What was bought'`).catch(() => {});
    const { items } = await source.introspect();
    const tables = items.find((each) => each.schemaName === schemaName)?.tables ?? [];
    expect(tables.map((each) => each.tableName)).toContain("orders");
    const orders = tables.find((each) => each.tableName === "orders");
    expect(orders?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...["id NUMBER(38,0)", "customer_id NUMBER(38,0)", "price NUMBER(12,2)", "weight FLOAT", "ratio FLOAT"],
      ...["amount NUMBER(38,0)", "code VARCHAR", "seen_at TIMESTAMP_NTZ(9)", "day DATE"],
    ]);
  });
});
