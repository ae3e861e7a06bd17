import { type AnalyzeQueryOptions, analyzeQuery } from "@polyglot-sql/sdk";
import type { DialectName } from "../data-sources/dialects/dialect.ts";
import type { ColumnInSql, ReadOutcome, StatementRead, StatementToRead } from "./statement.ts";

/** What the parser calls the dialects. */
const dialects: Record<DialectName, string> = {
  postgresql: "postgresql",
  mysql: "mysql",
  sqlserver: "tsql",
  clickhouse: "clickhouse",
  trino: "trino",
  snowflake: "snowflake",
  bigquery: "bigquery",
  duckdb: "duckdb",
};

type Reference = { table?: string | null | undefined; column: string };

/** Which tables a query reads, and what each of its columns is made from. Never throws; runs in a process of its own. */
export function readStatement({ sql, dialect, tables }: StatementToRead): ReadOutcome {
  const columnsOf = (names: readonly string[]) => names.map((name) => ({ name, type: "text" }));
  const schema: AnalyzeQueryOptions["schema"] = {
    tables: tables.flatMap(({ schemaName, tableName, isDefault, columns }) => [
      { name: tableName, schema: schemaName, columns: columnsOf(columns) },
      ...(isDefault ? [{ name: tableName, columns: columnsOf(columns) }] : []),
    ]),
  };
  try {
    const answer = analyzeQuery(sql, { dialect: dialects[dialect], schema });
    if (!answer.success || !answer.analysis) return { problem: problemIn(answer.error) };
    const { baseTables, projections, ctes, columnUses = [] } = answer.analysis;
    const places = new Map(baseTables.map(({ name }, place) => [name, place]));
    const columnIn = ({ table, column }: Reference): ColumnInSql => ({
      table: table == null ? null : (places.get(table) ?? null),
      column,
    });
    const read: StatementRead = {
      expressions: ctes,
      tables: baseTables.map(({ name, catalog, schema, table }) => ({
        ...{ catalog: catalog ?? null, schema: schema ?? null, table: table ?? name },
      })),
      outputs: projections.map(({ name, isStar, upstream }) => ({
        ...{ name: name ?? null, isStar: isStar === true, from: upstream.map(columnIn) },
      })),
      uses: columnUses.flatMap(({ references }) => references.map(columnIn)),
    };
    return { read };
  } catch (error) {
    return { problem: problemIn(error instanceof Error ? error.message : null) };
  }
}

/** The parser's message, short and without its own names. */
function problemIn(message: string | null | undefined): string {
  const text = message ?? "";
  if (/E_GUARD_/.test(text)) return "It is nested too deeply to be read";
  if (/requires a SELECT/.test(text)) return "It is not a query";
  const [, line, column] = /line (\d+), column (\d+)/.exec(text) ?? [];
  return line === undefined || line === "0"
    ? "Its SQL could not be read"
    : `Its SQL could not be read, near line ${line}, column ${column}`;
}
