import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { kindLabels } from "../server/data-sources/dialects/dialects.ts";
import { type DatabaseKind, databaseKinds } from "../server/data-sources/kinds.ts";
import type { Outcome } from "./test-attempts.ts";

/**
 * Writes the table of docs/engines.md from the outcomes of tests that have just run (.test/vitest.json): what each
 * engine's tests tried, and what they could not for lack of a server. A failed test leaves the table as it is.
 *
 *   node scripts/test.ts <the files below>; npm run docs:engines
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, "docs/engines.md");
const marks = ["<!-- written by scripts/engines-table.ts -->", "<!-- end -->"] as const;

/** The tests of each engine, and what they run on. */
export const suites: Readonly<Record<DatabaseKind, { files: readonly RegExp[]; on: string }>> = {
  PostgreSql: {
    files: [/engines\/postgresql/, /dialects\.test.*PostgreSQL/, /same-on-mysql/],
    on: "PostgreSQL 18",
  },
  MySql: { files: [/engines\/mysql/, /dialects\.test.*MySQL/, /same-on-mysql/], on: "MariaDB" },
  SqlServer: {
    files: [/engines\/sqlserver/, /dialects\.test.*SQL Server/, /rules\/(on-)?sqlserver/],
    on: "SQL Server",
  },
  ClickHouse: {
    files: [
      /engines\/clickhouse/,
      /dialects\/clickhouse/,
      /dialects\.test.*ClickHouse/,
      /rules\/on-clickhouse/,
    ],
    on: "ClickHouse, as chDB",
  },
  Trino: {
    files: [/engines\/trino/, /dialects\/trino/, /dialects\.test.*Trino/, /rules\/on-trino/],
    on: "Trino 483, with its memory connector",
  },
  Snowflake: {
    files: [/engines\/snowflake/, /dialects\/snowflake/, /dialects\.test.*Snowflake/, /rules\/on-snowflake/],
    on: "an emulator, fakesnow, and recorded answers",
  },
  BigQuery: {
    files: [/engines\/bigquery/, /dialects\/bigquery/, /dialects\.test.*BigQuery/, /rules\/on-bigquery/],
    on: "an emulator, local-bigquery",
  },
  Files: {
    files: [/engines\/files/, /dialects\/duckdb/, /dialects\.test.*Files/, /rules\/on-files/],
    on: "DuckDB 1.5, on files",
  },
};

/** What is asked of every engine, by the titles of the tests that ask it. */
export const capabilities: readonly (readonly [name: string, title: RegExp])[] = [
  ["Values come out exactly, in UTC", /JavaScript would round|values are exact/],
  ["Parameters are bound, never interpolated", /parameters are bound|values are bound/],
  ["SQL that would write is rejected", /changes nothing|rejects writes|writes are rolled back/],
  ["Rows and bytes are limited while reading", /bytes are limited|rows and bytes/],
  ["Rows beyond the limits are counted on request", /counted (on|beyond)|rows beyond the limit/],
  ["A statement ends at its time limit", /slow statement is cancelled|takes too long|ends at its time limit/],
  ["A statement is canceled", /aborted statement/],
  ["A killed connection is replaced", /killed/],
  ["A dry run finds mistakes without running", /a check >|without running/],
  ["Tables, columns, keys, and comments are introspected", /introspect|are found$/],
  ["Names with quotes, dots, and other alphabets", /is one name|names with|text literal is unchanged/],
  ["The words of its dialect", /dialects/],
  ["Every type of rule has its known verdict", /rules\//],
];

type Cell = { passed: number; skipped: number };

export function cellsOf(outcomes: readonly Outcome[], kind: DatabaseKind, title: RegExp): Cell {
  const own = outcomes.filter((outcome) => {
    const name = `${outcome.file} ${outcome.title}`;
    return suites[kind].files.some((file) => file.test(name)) && title.test(name);
  });
  const failed = own.find(({ state }) => state === "failed");
  if (failed) throw new Error(`A test failed, so nothing is written: ${failed.title}`);
  const count = (state: Outcome["state"]) => own.filter((outcome) => outcome.state === state).length;
  return { passed: count("passed"), skipped: count("skipped") };
}

function textOf({ passed, skipped }: Cell): string {
  if (passed > 0) return `yes, ${passed} ${passed === 1 ? "test" : "tests"}`;
  return skipped > 0 ? "not run: needs a server" : "no test of it";
}

export function tableOf(outcomes: readonly Outcome[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  /** Of an engine without a server, only what needs none was run, on stand-ins or on texts. */
  const triedOn = (kind: DatabaseKind) => {
    const cells = capabilities.map(([, title]) => cellsOf(outcomes, kind, title));
    const isThere = cells.every(({ passed, skipped }) => passed > 0 || skipped === 0);
    return isThere ? suites[kind].on : "no server: what needs none";
  };
  return [
    row(["", ...databaseKinds.map((kind) => kindLabels[kind])]),
    row(["---", ...databaseKinds.map(() => "---")]),
    row(["Tried on", ...databaseKinds.map(triedOn)]),
    ...capabilities.map(([name, title]) =>
      row([name, ...databaseKinds.map((kind) => textOf(cellsOf(outcomes, kind, title)))]),
    ),
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reports = process.argv.length > 2 ? process.argv.slice(2) : [join(root, ".test/vitest.json")];
  const outcomes = reports.flatMap(
    (report) => (JSON.parse(readFileSync(report, "utf8")) as { outcomes: Outcome[] }).outcomes,
  );
  const [begin, end] = marks;
  const text = readFileSync(page, "utf8");
  const before = text.slice(0, text.indexOf(begin) + begin.length);
  const after = text.slice(text.indexOf(end));
  writeFileSync(page, `${before}\n\n${tableOf(outcomes)}\n\n${after}`);
}
