import { relationIn, repeated } from "../../data-sources/dialects/clauses.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { Operator } from "./document.ts";
import type { Comparison, Literal } from "./metric-check.ts";

/**
 * Converts checks that no rule type can express to Custom SQL: a library metric with any operator, and a query with a
 * single value to compare. Names are quoted and values are written as the engine's literals, because Custom SQL binds
 * nothing.
 */
export type SqlTarget = {
  dialect: Dialect;
  schemaName: string;
  tableName: string;
};

/**
 * `passed` and `actual_value` of a query with a single value. null if the comparison cannot be expressed in SQL.
 */
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
    const [min, max] = value.map((each) => dialect.literal(each));
    return `checked.value ${operator === "mustNotBeBetween" ? "not between" : "between"} ${min} and ${max}`;
  }
  const written = dialect.literal(value);
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

/** The condition for a bad value, by metric; `column` is already quoted. null if the engine cannot express it. */
export type Predicate = (column: string, dialect: Dialect) => string | null;

export const isNull: Predicate = (column) => `${column} is null`;

/** NULL is one of the values only if it is listed. */
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
  const literals = given.map((value) => dialect.literal(areNumbers ? value : String(value)));
  return `${areNumbers ? column : dialect.asText(column)} in (${literals.join(", ")})`;
}

/** null if the engine has no regular expressions. */
export function doesNotMatch(pattern: string): Predicate {
  return (column, { pattern: { language, misses }, asText, literal }) => {
    const written = literal(pattern);
    return language === "regex" && written !== null ? misses(column, asText(column), written) : null;
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

/** The number of rows. */
export function rowCountSql(target: SqlTarget): string {
  return `select ${target.dialect.count()} from ${relation(target)}`;
}

/** The number or percentage of rows with a bad value. null if the engine cannot express the condition. */
export function badValuesSql(
  target: SqlTarget,
  column: string,
  isBad: Predicate,
  inPercent: boolean,
): string | null {
  const { dialect } = target;
  const bad = isBad(dialect.quote(column), dialect);
  if (bad === null) return null;
  return share(dialect.count(`case when ${bad} then 1 end`), target, inPercent);
}

/** The number or percentage of rows that duplicate another row in these columns. NULLs are never duplicates. */
export function duplicatesSql(target: SqlTarget, columns: readonly string[], inPercent: boolean): string {
  const { dialect } = target;
  const { where, groupBy, having } = repeated(dialect, columns.map(dialect.quote));
  const rows = `select coalesce(sum(repeated.n - 1), 0) from (
  select ${dialect.count()} as n from ${relation(target)}
  where ${where}
  group by ${groupBy} having ${having}) as repeated`;
  if (!inPercent) return rows;
  return `select coalesce(100.0 * (${rows}) / nullif((${rowCountSql(target)}), 0), 0)`;
}

function share(counted: string, target: SqlTarget, inPercent: boolean): string {
  const all = target.dialect.count();
  const value = inPercent ? `coalesce(100.0 * ${counted} / nullif(${all}, 0), 0)` : counted;
  return `select ${value} from ${relation(target)}`;
}

const relation = ({ dialect, schemaName, tableName }: SqlTarget) =>
  relationIn(dialect, schemaName, tableName);
