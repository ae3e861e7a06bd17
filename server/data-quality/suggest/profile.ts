import { relationIn } from "../../data-sources/dialects/clauses.ts";
import type { ColumnKind, Dialect } from "../../data-sources/dialects/dialect.ts";
import type { Cell } from "../../data-sources/engines/engine.ts";
import type { ProfileTarget, TableColumn, TableProfile } from "./table-profile.ts";

/** What one scan of a table, or of a part of it, says about each of its columns. */

/** So many rows are read at most: fewer of a wide table, so that the work stays the same. */
export function rowsToRead(columns: number): number {
  return Math.max(2000, Math.min(100_000, Math.floor(4_000_000 / Math.max(1, columns))));
}

/**
 * One statement over at most so many rows, answering one row. Of a table that is known to be larger, the rows come
 * from all over it where the server can do that (`spread`), else from its beginning.
 */
export function profileSql(
  target: ProfileTarget,
  columns: readonly TableColumn[],
  maxRows: number,
  spread: boolean,
): string {
  const { dialect } = target;
  const measures = columns.flatMap(({ type }, index) =>
    measuresOf(`c${index}`, index, dialect.kindOf(type), dialect),
  );
  const named = columns.map(({ name, type }, index) => {
    const column = dialect.quote(name);
    // What cannot be compared can still be NULL.
    const value =
      dialect.kindOf(type) === "other" ? `case when ${column} is null then null else 1 end` : column;
    return `${value} as c${index}`;
  });
  return `select ${[`${dialect.count()} as n`, ...measures].join(",\n  ")}
from (${someRows(target, named, maxRows, spread)}) as profiled`;
}

/** Some rows of the texts of a table, each cut to so many characters. */
export function textSql(target: ProfileTarget, columns: readonly TableColumn[], spread: boolean): string {
  const texts = columns.map(
    ({ name }, index) => `left(${target.dialect.quote(name)}, ${sampled.length}) as c${index}`,
  );
  return someRows(target, texts, sampled.rows, spread);
}

/** More rows are read than are looked at: neighbors are alike, so only some of them are. */
export const sampled = { rows: 2500, values: 500, length: 120 };

function someRows(
  { dialect, schemaName, tableName, rowEstimate }: ProfileTarget,
  named: readonly string[],
  maxRows: number,
  spread: boolean,
): string {
  const spreadOver = spread ? (rowEstimate ?? 1) : null;
  return dialect.someRows(named, relationIn(dialect, schemaName, tableName), { maxRows, spreadOver });
}

/** Whether rows from all over the table would be others than those at its beginning, and can be had. */
export function canSpread({ dialect, rowEstimate, isTable }: ProfileTarget, maxRows: number): boolean {
  return dialect.canSpread && isTable && rowEstimate !== null && rowEstimate > maxRows * 2;
}

/** The newest of a column, as text, and its age in seconds, over the whole table: an index answers that at once. */
export function newestSql({ dialect, schemaName, tableName }: ProfileTarget, columnName: string): string {
  const column = dialect.quote(columnName);
  const newest = `max(${column})`;
  const finite = dialect.isFiniteTime(column);
  return `select ${dialect.exactText(newest, "time")}, ${dialect.ageInSeconds(newest)}
from ${relationIn(dialect, schemaName, tableName)}${finite === null ? "" : ` where ${finite}`}`;
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

/** The answers of both statements as a profile. */
export function profileOf(
  answer: { columns: readonly { name: string }[]; rows: readonly (readonly Cell[])[] },
  columns: readonly TableColumn[],
  dialect: Dialect,
  {
    maxRows,
    spread,
    samplesOf,
  }: { maxRows: number; spread: boolean; samplesOf(column: TableColumn): string[] },
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
    isWhole: !spread && rows < maxRows,
    columns: columns.map((column, index) => ({
      ...column,
      sort: dialect.kindOf(column.type),
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
