import { relationIn } from "../data-sources/dialects/clauses.ts";
import type { Cell, ResultSet } from "../data-sources/engines/engine.ts";
import type { Condition } from "./condition.ts";
import { alias, conditionSql, fromWhere, type SqlTable } from "./condition-sql.ts";

/**
 * The rows of several conditions in one look at the table, however many there are: each row says by a text of zeros and
 * ones which conditions hold for it, and rows that say the same are counted together.
 */

const marks = "plumbline_marks";
const place = "plumbline_place";
const alike = "plumbline_alike";

/** Whether a condition is decided row by row; what needs other rows or tables is a statement of its own. */
export function isOfOneRow(condition: Condition): boolean {
  switch (condition.is) {
    case "repeated":
    case "orphan":
    case "unequalParts":
      return false;
    case "not":
      return isOfOneRow(condition.condition);
    case "all":
    case "any":
      return condition.of.every(isOfOneRow);
    default:
      return true;
  }
}

/** How many rows there are of each combination of the conditions. */
export function sharedCountSql(table: SqlTable, conditions: readonly Condition[]): string {
  return `select ${marks}, ${table.dialect.count()} as ${alike}
from (
${marked(table, conditions, "")}
) as marked
group by ${marks}`;
}

/** The same with some rows of each combination, whole. */
export function sharedRowsSql(table: SqlTable, conditions: readonly Condition[], rowsOfEach: number): string {
  return `select * from (
  select marked.*, row_number() over (partition by ${marks} order by ${marks}) as ${place},
    ${table.dialect.count()} over (partition by ${marks}) as ${alike}
  from (
${marked(table, conditions, `${alias}.*, `)}
  ) as marked
) as numbered
where ${place} <= ${rowsOfEach}`;
}

function marked(table: SqlTable, conditions: readonly Condition[], columns: string): string {
  const { dialect } = table;
  const parts = conditions.map((condition) => conditionSql(table, condition));
  const digits = parts.map((part) => `case when ${part} then '1' else '0' end`);
  // Some servers add nothing to a single text.
  const text = digits.length === 1 ? digits[0] : dialect.concat(...digits);
  const relation = relationIn(dialect, table.schemaName, table.tableName);
  return `select ${columns}${text} as ${marks}
  from ${relation} as ${alias}
  where ${parts.map((part) => `(${part})`).join("\n    or ")}`;
}

/** Some rows of one condition, each with how many there are in all. */
export function countedRowsSql(table: SqlTable, condition: Condition, maxRows: number): string {
  const { top, limit } = table.dialect.limit(maxRows);
  return `select ${top}${alias}.*, ${table.dialect.count()} over () as ${alike}
${fromWhere(table, condition)}${limit}`;
}

export type Doubted = { count: number; rows: Pick<ResultSet, "columns" | "rows"> };

/** What `sharedRowsSql` or `sharedCountSql` has answered, for each of the conditions. */
export function sharedAnswer({ columns, rows }: ResultSet, conditions: number): Doubted[] {
  const at = (name: string) => columns.findIndex((column) => column.name.toLowerCase() === name);
  const [marksAt, placeAt, alikeAt] = [at(marks), at(place), at(alike)];
  const own = columns.flatMap((_, index) => ([marksAt, placeAt, alikeAt].includes(index) ? [] : [index]));
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(String(row[marksAt]), Number(row[alikeAt]));
  return Array.from({ length: conditions }, (_, condition) => {
    const holds = (marks: Cell | undefined) => String(marks)[condition] === "1";
    let count = 0;
    for (const [marks, alike] of counts) if (holds(marks)) count += alike;
    return {
      count,
      rows: {
        columns: own.flatMap((index) => columns[index] ?? []),
        rows: rows.filter((row) => holds(row[marksAt])).map((row) => own.map((index) => row[index] ?? null)),
      },
    };
  });
}

/** What `countedRowsSql` has answered. */
export function countedAnswer({ columns, rows }: ResultSet): Doubted {
  return {
    count: Number(rows[0]?.at(-1) ?? 0),
    rows: { columns: columns.slice(0, -1), rows: rows.map((row) => row.slice(0, -1)) },
  };
}
