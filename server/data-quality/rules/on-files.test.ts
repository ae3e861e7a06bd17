import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Source } from "../../data-sources/engines/engine.ts";
import { files } from "../../data-sources/engines/files.ts";
import { allowedTestFolder, filesConnection } from "../../test/files.ts";
import { executionFailed, measureRule } from "../measure-rule.ts";
import { roundScore } from "../score.ts";
import { type ExpectedVerdict, sameVerdicts } from "./same-verdicts.fixture.ts";

const ago = (minutes: number) =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace("T", " ").replace("Z", "");

/** Whether a format can say what a case is about. */
function isWritten(format: string, table: string, { column }: Record<string, unknown>): boolean {
  // As texts, numbers of so many digits are doubles.
  if (table === "exact") return format === "parquet" || format === "duckdb";
  // JSON without rows has no columns, and writes a float as a double.
  return format !== "json" || (table !== "empty" && column !== "ratio");
}

/**
 * The rules on files. The rows and verdicts are those of `same-on-mysql.test.ts`, which holds PostgreSQL and MySQL to
 * them. Parquet and DuckDB's own files have types; what CSV and JSON hold is found out, and floats with many digits that
 * are written there are doubles.
 */
describe.each(["parquet", "duckdb", "csv", "json"])("rules on %s", (format) => {
  const folder = allowedTestFolder();
  const schemaName = format === "duckdb" ? "shop" : "main";
  let source: Source;

  async function write(tables: Record<string, [columns: Record<string, string>, rows: (string | null)[][]]>) {
    const instance = await DuckDBInstance.create(
      format === "duckdb" ? join(folder, "shop.duckdb") : ":memory:",
    );
    const connection = await instance.connect();
    for (const [table, [columns, rows]] of Object.entries(tables)) {
      const defined = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
      await connection.run(`create table ${table} (${defined.join(", ")})`);
      const cell = (value: string | null) => (value === null ? "null" : `'${value}'`);
      const tuples = rows.map((row) => `(${row.map(cell).join(", ")})`).join(", ");
      if (rows.length > 0) await connection.run(`insert into ${table} values ${tuples}`);
      if (format === "duckdb") continue;
      const options = { parquet: "format parquet", csv: "format csv, header", json: "format json" }[format];
      await connection.run(`copy ${table} to '${join(folder, `${table}.${format}`)}' (${options})`);
    }
    connection.closeSync();
    instance.closeSync();
  }

  beforeAll(async () => {
    const few = { id: "integer", code: "varchar", seen_at: "timestamp", weight: "double" };
    await write({
      customers: [
        { id: "integer", name: "varchar" },
        [
          ["1", "Ada"],
          ["2", "Grace"],
          ["3", "Edsger"],
        ],
      ],
      orders: [
        {
          ...{
            id: "integer",
            customer_id: "integer",
            price: "decimal(12, 2)",
            weight: "double",
            ratio: "float",
          },
          ...{ amount: "bigint", code: "varchar", seen_at: "timestamp", day: "date" },
        },
        [
          ["1", "1", "10.00", "0.1", "0.1", "9007199254740991", "A-001", ago(5000), null],
          ["2", "2", "20.00", "0.2", "0.2", "9007199254740992", "A-002", ago(90), ago(90).slice(0, 10)],
          ["3", "3", "30.00", "0.30000000000000004", "0.3", "9007199254740993", "B-003", null, null],
          ["3", null, null, null, "16777216", null, null, null, null],
        ],
      ],
      empty: [few, []],
      nulls: [few, Array(5).fill(Array(4).fill(null))],
      orphans: [{ customer_id: "integer" }, [["1"], ["7"], ["7"], [null]]],
      texts: [{ value: "varchar" }, [["12"], ["20.5"], ["1e1"], [".5"], [null]]],
      words: [{ value: "varchar" }, [["12"], ["twelve"]]],
      exact: [{ value: "decimal(38, 20)" }, [["0.10000000000000000001"], ["-123456789012345678.5"], ["1"]]],
      future: [{ seen_at: "timestamp" }, [[ago(-60)]]],
    });
    source = files.open(filesConnection(folder));
  });
  afterAll(() => source.close());

  test.each<ExpectedVerdict>([
    ...sameVerdicts,
    ["CustomSql", "orders", { sql: "select count(*) = 4 as passed from schema.orders" }, true, 100],
    ["CustomSql", "orders", { sql: "select * from read_csv('/etc/passwd')" }, false, 0],
  ])("%s on %s, %o: %s, %d", async (type, tableName, configuration, passed, score) => {
    if (!isWritten(format, tableName, configuration)) return;
    const sql = String(configuration.sql ?? "").replace("schema.", `${schemaName}.`);
    const rule = { type, configuration: { ...configuration, ...(sql && { sql }) } };
    const target = { schemaName, tableName };
    const verdict = await source.session((session) =>
      measureRule(session, files.dialect, target, rule).catch(executionFailed),
    );
    expect({ ...verdict, score: roundScore(verdict.score) }, String(verdict.message)).toMatchObject({
      passed,
      score,
    });
  });
});
