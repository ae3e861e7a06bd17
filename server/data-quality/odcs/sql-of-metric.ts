import type { Dialect, Engine } from "../../data-sources/engines/engine.ts";
import type { Operator } from "./document.ts";

/**
 * Checks that no type of rule says, as SQL: a library metric with any operator, and a query whose one value is
 * compared. The result is a Custom SQL rule. Names are quoted and values are written as literals of their engine,
 * because a Custom SQL rule binds nothing.
 */
export type SqlTarget = {
  engine: Pick<Engine, "quote"> & { dialect: Dialect };
  schemaName: string;
  tableName: string;
};

export type Literal = string | number | boolean;
export type Comparison = { operator: Operator; value: Literal | readonly [number, number] };

/** `passed` and `actual_value` of a query that answers one value. null where the comparison has no SQL. */
export function checkSql(valueSql: string, comparison: Comparison, dialect: Dialect): string | null {
  const condition = conditionOf(comparison, dialect);
  if (condition === null) return null;
  return `select case when ${condition} then 1 else 0 end as passed, checked.value as actual_value
from (select (
${valueSql}
) as value) as checked`;
}

function conditionOf({ operator, value }: Comparison, dialect: Dialect): string | null {
  if (typeof value === "object") {
    const [least, most] = value.map((each) => literal(each, dialect));
    return `checked.value ${operator === "mustNotBeBetween" ? "not between" : "between"} ${least} and ${most}`;
  }
  const written = literal(value, dialect);
  const sign = signs[operator];
  return written === null || sign === undefined ? null : `checked.value ${sign} ${written}`;
}

const signs: Partial<Record<Operator, string>> = {
  mustBe: "=",
  mustNotBe: "<>",
  mustBeGreaterThan: ">",
  mustBeGreaterOrEqualTo: ">=",
  mustBeLessThan: "<",
  mustBeLessOrEqualTo: "<=",
};

/** null for what the engine has no literal for. */
export function literal(value: Literal, dialect: Dialect): string | null {
  if (typeof value === "number")
    return Number.isFinite(value)
      ? value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 100 })
      : null;
  if (typeof value === "boolean") return dialect === "sqlserver" ? (value ? "1" : "0") : String(value);
  // Whether MySQL takes a backslash as it is depends on its settings; as bytes it is always itself.
  if (dialect === "mysql" && value.includes("\\"))
    return `convert(x'${Buffer.from(value, "utf8").toString("hex")}' using utf8mb4)`;
  return `${dialect === "sqlserver" ? "N" : ""}'${value.replaceAll("'", "''")}'`;
}

/** What makes a value a bad one, by the metric; `column` is written already. null where the engine cannot say it. */
export type Predicate = (column: string, dialect: Dialect) => string | null;

export const isNull: Predicate = (column) => `${column} is null`;

/** NULL is one of the values only where it is listed. */
export function isOneOf(values: readonly (Literal | null)[]): Predicate {
  return (column, dialect) => {
    const listed = listOf(column, values, dialect);
    const parts = [values.includes(null) ? `${column} is null` : null, listed].filter(
      (part) => part !== null,
    );
    return parts.length === 0 ? null : parts.join(" or ");
  };
}

/** NULLs are neither valid nor invalid. */
export function isNoneOf(values: readonly (Literal | null)[]): Predicate {
  return (column, dialect) => {
    const listed = listOf(column, values, dialect);
    return listed === null ? `${column} is not null` : `${column} is not null and not (${listed})`;
  };
}

function listOf(column: string, values: readonly (Literal | null)[], dialect: Dialect): string | null {
  const given = values.filter((value) => value !== null);
  if (given.length === 0) return null;
  const areNumbers = given.every((value) => typeof value === "number");
  const literals = given.map((value) => literal(areNumbers ? value : String(value), dialect));
  return `${areNumbers ? column : asText(column, dialect)} in (${literals.join(", ")})`;
}

/** SQL Server knows no regular expressions. */
export function doesNotMatch(pattern: string): Predicate {
  return (column, dialect) => {
    if (dialect === "sqlserver") return null;
    const text = asText(column, dialect);
    const written = literal(pattern, dialect);
    return dialect === "postgresql"
      ? `${text} !~ ${written}`
      : `${column} is not null and (${text} regexp ${written}) is not true`;
  };
}

/** Bounds are plain decimals already. */
export function isOutside({ min, max }: { min?: string | undefined; max?: string | undefined }): Predicate {
  return (column) =>
    [min !== undefined && `${column} < ${min}`, max !== undefined && `${column} > ${max}`]
      .filter(Boolean)
      .join(" or ");
}

export function anyOf(predicates: readonly Predicate[]): Predicate {
  return (column, dialect) => {
    const parts = predicates.map((predicate) => predicate(column, dialect));
    return parts.includes(null) ? null : parts.map((part) => `(${part})`).join(" or ");
  };
}

function asText(column: string, dialect: Dialect): string {
  if (dialect === "postgresql") return `${column}::text`;
  return dialect === "mysql" ? `concat(${column})` : `cast(${column} as nvarchar(max))`;
}

const countOf = (dialect: Dialect) => (dialect === "sqlserver" ? "count_big" : "count");

/** How many rows there are. */
export function rowCountSql(target: SqlTarget): string {
  return `select ${countOf(target.engine.dialect)}(*) from ${relation(target)}`;
}

/** How many rows have a bad value, or how many of a hundred. null where the engine cannot say what is bad. */
export function badValuesSql(
  target: SqlTarget,
  column: string,
  isBad: Predicate,
  inPercent: boolean,
): string | null {
  const { dialect, quote } = target.engine;
  const bad = isBad(quote(column), dialect);
  if (bad === null) return null;
  return share(`${countOf(dialect)}(case when ${bad} then 1 end)`, target, inPercent);
}

/** How many rows repeat what another row has in these columns, or how many of a hundred. NULLs repeat nothing. */
export function duplicatesSql(target: SqlTarget, columns: readonly string[], inPercent: boolean): string {
  const { dialect, quote } = target.engine;
  const names = columns.map((column) => quote(column));
  const count = countOf(dialect);
  const repeated = `select coalesce(sum(repeated.n - 1), 0) from (
  select ${count}(*) as n from ${relation(target)}
  where ${names.map((name) => `${name} is not null`).join(" and ")}
  group by ${names.join(", ")} having ${count}(*) > 1) as repeated`;
  if (!inPercent) return repeated;
  return `select coalesce(100.0 * (${repeated}) / nullif((${rowCountSql(target)}), 0), 0)`;
}

function share(counted: string, target: SqlTarget, inPercent: boolean): string {
  const all = `${countOf(target.engine.dialect)}(*)`;
  const value = inPercent ? `coalesce(100.0 * ${counted} / nullif(${all}, 0), 0)` : counted;
  return `select ${value} from ${relation(target)}`;
}

function relation({ engine, schemaName, tableName }: SqlTarget): string {
  return `${engine.quote(schemaName)}.${engine.quote(tableName)}`;
}
