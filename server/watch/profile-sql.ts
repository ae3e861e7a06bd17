import { relationIn } from "../data-sources/dialects/clauses.ts";
import type { Dialect } from "../data-sources/dialects/dialect.ts";
import type { Cell } from "../data-sources/engines/engine.ts";
import type { ColumnFacts } from "../profile/observed-column.ts";
import type { MeasureName } from "./measures.ts";

/** What a profile asks of a table and its columns, as SQL. Pure. */

type TableName = { schemaName: string; tableName: string };

/** Which rows: those of the last day by a column of times, or some from all over the table. */
export type Rows = { arrivedBy: string } | { spreadOver: number | null };

/** Fewer say little about a column. */
export const leastRows = 30;

const isNumber = ({ kind }: ColumnFacts) => kind === "integer" || kind === "decimal" || kind === "float";
const isCompared = ({ kind }: ColumnFacts) => kind === "integer" || kind === "text" || kind === "uuid";
/** A number that only tells rows apart says nothing by its size. */
const isMeasured = (column: ColumnFacts) => isNumber(column) && !column.isPrimaryKey && !column.references;

/** The rows that came in the last day. */
export function arrivedSql(dialect: Dialect, table: TableName, arrivedBy: string): string {
  return `select ${dialect.count()} from ${relationOf(dialect, table)} where ${inLast(dialect, arrivedBy, 1)}`;
}

/** One row with the number of rows, and for each column its values, blanks, distinct values, mean, and deviation. */
export function columnsSql(
  dialect: Dialect,
  table: TableName,
  columns: readonly ColumnFacts[],
  rows: Rows,
  maxRows: number,
): string {
  return `select ${asked(dialect, columns)}
from (${someRows(dialect, table, named(dialect, columns), rows, maxRows)}) as profiled`;
}

/**
 * The same for each of the last days, by the column that says when rows came, with `ago`: 0 for the last 24 hours. What
 * came before a table was watched is then known, too.
 */
export function historySql(
  dialect: Dialect,
  table: TableName,
  columns: readonly ColumnFacts[],
  arrivedBy: string,
): string {
  const bucket = bucketOf(dialect, arrivedBy, { seconds: 86_400, offset: 0 });
  const some = [...named(dialect, columns), `${bucket} as ago`].join(", ");
  return `select ago, ${asked(dialect, columns)}
from (select ${some} from ${relationOf(dialect, table)} where ${inLast(dialect, arrivedBy, historyOf.days)}) as profiled
group by ago order by ago`;
}

/** The number of rows of each whole hour that had some, with `ago`: 0 for the last whole one. `offset` is that since its end. */
export function hourHistorySql(
  dialect: Dialect,
  table: TableName,
  arrivedBy: string,
  offset: number,
): string {
  const bucket = bucketOf(dialect, arrivedBy, { seconds: 3600, offset });
  return `select ago, ${dialect.count()} as n
from (select ${bucket} as ago from ${relationOf(dialect, table)} where ${inLast(dialect, arrivedBy, historyOf.hourDays)}) as profiled
where ago >= 0 group by ago order by ago`;
}

/** How far back what has arrived is counted, once. */
export const historyOf = { days: 60, hourDays: 28 };

const bucketOf = (
  dialect: Dialect,
  columnName: string,
  { seconds, offset }: { seconds: number; offset: number },
) => `floor((${dialect.ageInSeconds(dialect.quote(columnName))} - ${offset}) / ${seconds})`;

function asked(dialect: Dialect, columns: readonly ColumnFacts[]): string {
  const measures = columns.flatMap((column, place) => {
    const name = `c${place}`;
    const values = [`${dialect.count(name)} as v${place}`];
    if (column.kind === "text") values.push(`${dialect.countWhere(isBlank(dialect, name))} as b${place}`);
    if (isCompared(column)) values.push(`${dialect.count(`distinct ${name}`)} as d${place}`);
    if (isMeasured(column))
      values.push(`${dialect.mean(name)} as m${place}`, `${dialect.deviation(name)} as s${place}`);
    return values;
  });
  return [`${dialect.count()} as n`, ...measures].join(",\n  ");
}

const named = (dialect: Dialect, columns: readonly ColumnFacts[]) =>
  columns.map((column, place) => {
    const name = dialect.quote(column.name);
    // What cannot be compared can still be NULL.
    return `${column.kind === "other" ? `case when ${name} is null then null else 1 end` : name} as c${place}`;
  });

/** The values of a column with how many rows each has, at most one more than a column of few values can have. */
export function categoriesSql(
  dialect: Dialect,
  table: TableName,
  columnName: string,
  rows: Rows,
  maxRows: number,
): string {
  const { top, limit } = dialect.limit(maxCategories + 1);
  const named = [`${dialect.quote(columnName)} as c`];
  return `select ${top}c, ${dialect.count()} as n
from (${someRows(dialect, table, named, rows, maxRows)}) as profiled
where c is not null group by c order by n desc${limit}`;
}
export const maxCategories = 30;

const relationOf = (dialect: Dialect, { schemaName, tableName }: TableName) =>
  relationIn(dialect, schemaName, tableName);

const isBlank = (dialect: Dialect, name: string) =>
  `${name} is not null and ${dialect.length(`ltrim(rtrim(${name}))`)} = 0`;

function inLast(dialect: Dialect, columnName: string, days: number): string {
  const column = dialect.quote(columnName);
  const moment = dialect.moment(column);
  return `${moment} > ${dialect.ago(days, "days")} and ${moment} <= ${dialect.now}`;
}

function someRows(
  dialect: Dialect,
  table: TableName,
  columns: readonly string[],
  rows: Rows,
  maxRows: number,
): string {
  const relation = relationOf(dialect, table);
  if ("spreadOver" in rows)
    return dialect.someRows(columns, relation, { maxRows, spreadOver: rows.spreadOver });
  const { top, limit } = dialect.limit(maxRows);
  return `select ${top}${columns.join(", ")} from ${relation} where ${inLast(dialect, rows.arrivedBy, 1)}${limit}`;
}

export type Measured = { columnName: string | null; measure: MeasureName; value: number };

/** The numbers in a row of the answer to `columnsSql` or `historySql`; none if too few rows were read. */
export function measuredIn(
  names: readonly { name: string }[],
  row: readonly Cell[],
  columns: readonly ColumnFacts[],
): { rows: number; measured: Measured[]; distinct: ReadonlyMap<string, number> } {
  const cells = new Map(names.map(({ name }, place) => [name, row[place] ?? null]));
  const number = (name: string) => {
    const cell = cells.get(name) ?? null;
    return cell === null ? null : Number(cell);
  };
  const rows = number("n") ?? 0;
  const distinct = new Map<string, number>();
  const measured: Measured[] = [];
  if (rows < leastRows) return { rows, measured, distinct };
  for (const [place, column] of columns.entries()) {
    const values = number(`v${place}`) ?? 0;
    const add = (measure: MeasureName, value: number | null) => {
      if (value !== null && Number.isFinite(value))
        measured.push({ columnName: column.name, measure, value });
    };
    const different = number(`d${place}`);
    if (different !== null) distinct.set(column.name, different);
    // The database itself sees to it that there is none.
    if (column.isNullable) add("NullShare", 1 - values / rows);
    if (values < leastRows) continue;
    const blanks = number(`b${place}`);
    add("BlankShare", blanks === null ? null : blanks / values);
    if (!column.isPrimaryKey) add("DistinctShare", different === null ? null : different / values);
    // Integers that are all different are keys.
    if (different !== null && different >= 0.98 * values) continue;
    add("Mean", number(`m${place}`));
    add("Spread", number(`s${place}`));
  }
  return { rows, measured, distinct };
}
