import { relationIn } from "../data-sources/dialects/clauses.ts";
import type { ColumnKind, Dialect } from "../data-sources/dialects/dialect.ts";
import type { Cell } from "../data-sources/engines/engine.ts";
import type { ColumnFacts } from "./observed-column.ts";
import { canSpread } from "./read-sql.ts";
import type { TableProfile } from "./table-profile.ts";

/** Profiles each column of a table, or of a part of it, in one scan. */

type TableName = { schemaName: string; tableName: string };
type SomeRows = { maxRows: number; spreadOver: number | null };

/** The maximum number of rows to read: fewer of a wide table, so that the work stays the same. */
export function rowsToRead(columns: number): number {
  return Math.max(2000, Math.min(100_000, Math.floor(4_000_000 / Math.max(1, columns))));
}

/**
 * The row count that the sample is spread over; null if the rows at the table's start must do, or are just as good
 * because most of the table is read anyway.
 */
export function spreadOverOf(
  dialect: Dialect,
  table: { kind: "Table" | "View"; rowEstimate: number | null },
  maxRows: number,
): number | null {
  const rows = table.rowEstimate ?? 0;
  return rows > maxRows * 2 && canSpread(dialect, table) ? rows : null;
}

/**
 * One statement over a limited number of rows that returns one row. For a table known to be larger, the rows come from
 * all over it if the server supports that (`spreadOver`), otherwise from its start.
 */
export function profileSql(
  dialect: Dialect,
  table: TableName,
  columns: readonly ColumnFacts[],
  rows: SomeRows,
): string {
  const measures = columns.flatMap(({ kind }, index) => measuresOf(`c${index}`, index, kind, dialect));
  const named = columns.map(({ name, kind }, index) => {
    const column = dialect.quote(name);
    // What cannot be compared can still be NULL.
    const value = kind === "other" ? `case when ${column} is null then null else 1 end` : column;
    return `${value} as c${index}`;
  });
  return `select ${[`${dialect.count()} as n`, ...measures].join(",\n  ")}
from (${dialect.someRows(named, relationOf(dialect, table), rows)}) as profiled`;
}

/** Some rows of a table's text columns, each text truncated to a maximum length. */
export function textSql(
  dialect: Dialect,
  table: TableName,
  columns: readonly ColumnFacts[],
  { spreadOver }: Pick<SomeRows, "spreadOver">,
): string {
  const texts = columns.map(
    ({ name }, index) => `${dialect.start(dialect.quote(name), sampled.length)} as c${index}`,
  );
  return dialect.someRows(texts, relationOf(dialect, table), { maxRows: sampled.rows, spreadOver });
}

/** More rows are read than used: neighboring rows are alike, so only some are picked. */
export const sampled = { rows: 2500, values: 500, length: 120 };

const relationOf = (dialect: Dialect, { schemaName, tableName }: TableName) =>
  relationIn(dialect, schemaName, tableName);

/**
 * The newest value of a column, as text, and its age in seconds, over the whole table: with an index this is immediate.
 */
export function newestSql(dialect: Dialect, table: TableName, columnName: string): string {
  const column = dialect.quote(columnName);
  const newest = `max(${column})`;
  const finite = dialect.isFiniteTime(column);
  return `select ${dialect.exactText(newest, "time")}, ${dialect.ageInSeconds(newest)}
from ${relationOf(dialect, table)}${finite === null ? "" : ` where ${finite}`}`;
}

function measuresOf(column: string, index: number, kind: ColumnKind, dialect: Dialect): string[] {
  const text = (expression: string) => dialect.exactText(expression, kind);
  const measures = [`${dialect.count(column)} as v${index}`];
  if (["integer", "text", "uuid"].includes(kind))
    measures.push(`${dialect.count(`distinct ${column}`)} as d${index}`);
  if (["integer", "decimal", "float"].includes(kind))
    measures.push(`${text(`min(${column})`)} as l${index}`, `${text(`max(${column})`)} as g${index}`);
  if (kind === "text") {
    const length = dialect.length(column);
    measures.push(`min(${length}) as s${index}`, `max(${length}) as x${index}`);
  }
  if (kind === "date" || kind === "time") {
    const finite = dialect.isFiniteTime(column);
    const newest = `max(${finite === null ? column : `case when ${finite} then ${column} end`})`;
    measures.push(`${text(newest)} as w${index}`, `${dialect.ageInSeconds(newest)} as a${index}`);
  }
  return measures;
}

/** The results of both statements as a profile. */
export function profileOf(
  answer: { columns: readonly { name: string }[]; rows: readonly (readonly Cell[])[] },
  columns: readonly ColumnFacts[],
  { maxRows, spreadOver, samplesOf }: SomeRows & { samplesOf(column: ColumnFacts): string[] },
): TableProfile {
  const cells = new Map(answer.columns.map(({ name }, index) => [name, answer.rows[0]?.[index] ?? null]));
  const text = (name: string) => {
    const cell = cells.get(name) ?? null;
    return cell === null ? null : String(cell);
  };
  const number = (name: string) => {
    const cell = text(name);
    return cell === null ? null : Number(cell);
  };
  const rows = number("n") ?? 0;
  return {
    rows,
    isWhole: spreadOver === null && rows < maxRows,
    columns: columns.map((column, index) => ({
      ...column,
      values: number(`v${index}`) ?? 0,
      different: number(`d${index}`),
      least: text(`l${index}`),
      greatest: text(`g${index}`),
      newest: text(`w${index}`),
      ageSeconds: number(`a${index}`),
      shortest: number(`s${index}`),
      longest: number(`x${index}`),
      samples: samplesOf(column),
    })),
  };
}
