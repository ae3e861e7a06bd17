import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Source } from "../../data-sources/engines/engine.ts";
import { trino } from "../../data-sources/engines/trino.ts";
import { runOnTrino, trinoConnection } from "../../test/trino.ts";
import { executionFailed, measureRule } from "../measure-rule.ts";
import { roundScore } from "../score.ts";
import { type ExpectedVerdict, sameVerdicts } from "./same-verdicts.fixture.ts";

const schemaName = "rules_test";
const ago = (minutes: number) =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace("T", " ").replace("Z", "");

/**
 * The rules on a real Trino, if TEST_TRINO_URL is set. The rows and verdicts are those of `same-on-mysql.test.ts`,
 * which holds PostgreSQL and MySQL to them.
 */
describe.skipIf(!trinoConnection)("rules on Trino", () => {
  const target = trinoConnection ?? ({} as NonNullable<typeof trinoConnection>);
  let source: Source;

  async function load(table: string, columns: Record<string, string>, rows: (string | null)[][]) {
    const types = Object.values(columns);
    const defined = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
    await runOnTrino(target, `create table ${schemaName}.${table} (${defined.join(", ")})`);
    if (rows.length === 0) return;
    const cell = (value: string | null, at: number) =>
      `cast(${value === null ? "null" : `'${value}'`} as ${types[at]})`;
    const tuples = rows.map((row) => `(${row.map(cell).join(", ")})`).join(", ");
    await runOnTrino(target, `insert into ${schemaName}.${table} values ${tuples}`);
  }

  async function empty() {
    for (const [table] of await runOnTrino(
      target,
      `select table_name from information_schema.tables where table_schema = '${schemaName}'`,
    ))
      await runOnTrino(target, `drop table ${schemaName}.${table}`);
    await runOnTrino(target, `drop schema if exists ${schemaName}`);
  }

  beforeAll(async () => {
    source = trino.open(target);
    await empty();
    await runOnTrino(target, `create schema ${schemaName}`);
    await load("customers", { id: "integer", name: "varchar" }, [
      ["1", "Ada"],
      ["2", "Grace"],
      ["3", "Edsger"],
    ]);
    const few = { id: "integer", code: "varchar", seen_at: "timestamp(6)", weight: "double" };
    await load("empty", few, []);
    await load("nulls", few, Array(5).fill(Array(4).fill(null)));
    await load("orphans", { customer_id: "integer" }, [["1"], ["7"], ["7"], [null]]);
    await load("texts", { value: "varchar" }, [["12"], ["20.5"], ["1e1"], [".5"], [null]]);
    await load("words", { value: "varchar" }, [["12"], ["twelve"]]);
    await load("exact", { value: "decimal(38, 20)" }, [
      ["0.10000000000000000001"],
      ["-123456789012345678.5"],
      ["1"],
    ]);
    await load("future", { seen_at: "timestamp(6)" }, [[ago(-60)]]);
    // Last, as a minute later its rows are older than a rule allows.
    await load(
      "orders",
      {
        ...{
          id: "integer",
          customer_id: "integer",
          price: "decimal(12, 2)",
          weight: "double",
          ratio: "real",
        },
        ...{ amount: "bigint", code: "varchar", seen_at: "timestamp(6)", day: "date" },
      },
      [
        ["1", "1", "10.00", "0.1", "0.1", "9007199254740991", "A-001", ago(5000), null],
        ["2", "2", "20.00", "0.2", "0.2", "9007199254740992", "A-002", ago(90), ago(90).slice(0, 10)],
        ["3", "3", "30.00", "0.30000000000000004", "0.3", "9007199254740993", "B-003", null, null],
        ["3", null, null, null, "16777216", null, null, null, null],
      ],
    );
  });
  afterAll(async () => {
    await source.close();
    await empty();
  });

  const [ofAge, others] = [true, false].map((isOfAge) =>
    sameVerdicts.filter(([type]) => (type === "Freshness") === isOfAge),
  );
  test.each<ExpectedVerdict>([
    ...(ofAge ?? []),
    ...(others ?? []),
    ["CustomSql", "orders", { sql: "select count(*) = 4 as passed from rules_test.orders" }, true, 100],
    ["CustomSql", "orders", { sql: "select * from table(other.system.query('select 1'))" }, false, 0],
  ])("%s on %s, %o: %s, %d", async (type, tableName, configuration, passed, score) => {
    const rule = { type, configuration };
    const verdict = await source.session((session) =>
      measureRule(session, trino.dialect, { schemaName, tableName }, rule).catch(executionFailed),
    );
    expect({ ...verdict, score: roundScore(verdict.score) }, String(verdict.message)).toMatchObject({
      passed,
      score,
    });
  });
});
