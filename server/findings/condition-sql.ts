import { isOrphan, relationIn } from "../data-sources/dialects/clauses.ts";
import type { Dialect } from "../data-sources/dialects/dialect.ts";
import type { ColumnFacts } from "../profile/observed-column.ts";
import { numberOf } from "../profile/plain-values.ts";
import { textOf } from "../profile/read-sql.ts";
import { type Condition, type Factor, namesIn, type Term } from "./condition.ts";

/** A table whose rows a statement is about. */
export type SqlTable = {
  dialect: Dialect;
  schemaName: string;
  tableName: string;
  columns: readonly ColumnFacts[];
  /** What the table is called in the statement, where that is not ours. */
  calledAs?: string;
};

/** What the table is called in a statement. */
export const alias = "doubted";

/**
 * The rows for which a condition holds, whole, as one SELECT that runs as it stands. Values stand in it as literals:
 * people copy it. Throws Error for a column that the table does not have.
 */
export function rowsSql(table: SqlTable, condition: Condition, maxRows?: number): string {
  const { top, limit } = maxRows === undefined ? { top: "", limit: "" } : table.dialect.limit(maxRows);
  return `select ${top}${alias}.*\n${fromWhere(table, condition)}${limit}`;
}

/**
 * The condition for a statement that calls the table by a name of its own, and what is joined to it for that, which adds
 * no rows.
 */
export function conditionFor(
  table: SqlTable & { calledAs: string },
  condition: Condition,
): { failing: string; join: string } {
  if (condition.is !== "repeated") return { failing: conditionSql(table, condition), join: "" };
  return {
    failing: "repeated.n > 1",
    join: `left join (
  ${repeatedSql(table, condition)}
) as repeated on ${sameKeys(table, condition, "repeated")}`,
  };
}

/** How many there are. */
export function countSql(table: SqlTable, condition: Condition): string {
  return `select ${table.dialect.count()} as n\n${fromWhere(table, condition)}`;
}

/** The rows for which any of several conditions holds, each once. Throws Error for a column that the table does not have. */
export function rowsOfAnySql(table: SqlTable, conditions: readonly Condition[]): string {
  const relation = relationIn(table.dialect, table.schemaName, table.tableName);
  const joins: string[] = [];
  const parts = conditions.map((condition) => {
    if (condition.is !== "repeated") return `(${conditionSql(table, condition)})`;
    const name = `repeated${joins.length}`;
    joins.push(
      `left join (\n  ${repeatedSql(table, condition)}\n) as ${name} on ${sameKeys(table, condition, name)}`,
    );
    return `${name}.n > 1`;
  });
  return [
    `select ${alias}.*\nfrom ${relation} as ${alias}`,
    ...joins,
    `where ${parts.length === 0 ? table.dialect.never : parts.join("\n   or ")}`,
  ].join("\n");
}

/** Where the rows come from for which a condition holds. */
export function fromWhere(table: SqlTable, condition: Condition): string {
  const relation = relationIn(table.dialect, table.schemaName, table.tableName);
  if (condition.is === "repeated")
    return `from ${relation} as ${alias}\njoin (\n  ${repeatedSql(table, condition)}\n) as repeated on ${sameKeys(table, condition, "repeated")}`;
  return `from ${relation} as ${alias}\nwhere ${conditionSql(table, condition)}`;
}

const sameKeys = (
  table: SqlTable,
  { columns, wholeRows = false }: Extract<Condition, { is: "repeated" }>,
  other: string,
): string =>
  columns.map((name, index) => sameAs(table, name, `${other}.c${index}`, wholeRows)).join("\n  and ");

/** The combinations that occur more than once, with their columns as c0, c1, … and how often as n. */
function repeatedSql(
  table: SqlTable,
  { columns, wholeRows }: Extract<Condition, { is: "repeated" }>,
): string {
  const { dialect } = table;
  const keys = columns.map((name) => keyOf(table, name, dialect.quote(name)));
  const filled = columns.map((name) => `${dialect.quote(name)} is not null`).join(" and ");
  return `select ${keys.map((key, index) => `${key} as c${index}`).join(", ")}, ${dialect.count()} as n
  from ${relationIn(dialect, table.schemaName, table.tableName)}${wholeRows ? "" : `\n  where ${filled}`}
  group by ${keys.join(", ")}
  having ${dialect.count()} > 1`;
}

function sameAs(table: SqlTable, name: string, other: string, isNullSame: boolean): string {
  const key = keyOf(table, name, columnSql(table, name));
  return isNullSame ? table.dialect.isSame(key, other) : `${key} = ${other}`;
}

/** What is the same of two values only when they are written alike. */
function keyOf(table: SqlTable, name: string, value: string): string {
  const column = factsOf(table, name);
  const isPlain = ["integer", "decimal", "uuid", "date", "time"].includes(column.kind);
  return isPlain ? value : table.dialect.exactly(textOf(table.dialect, column, value));
}

/** Whether a row of the table, called as `fromWhere` calls it, is one of them. Never NULL where it matters. */
export function conditionSql(table: SqlTable, condition: Condition): string {
  const { dialect } = table;
  switch (condition.is) {
    case "null":
      return `${columnSql(table, condition.column)} is null`;
    case "blank":
      return `trim(${columnSql(table, condition.column)}) = ''`;
    case "oneOf": {
      const facts = factsOf(table, condition.column);
      const text = textOf(dialect, facts, columnSql(table, condition.column));
      const isExact = facts.kind === "text" || facts.kind === "other";
      const same = isExact ? dialect.exactly : (value: string) => value;
      const values = condition.values.map((value) => same(dialect.literal(value) ?? "null"));
      return `${same(text)} in (${values.join(", ")})`;
    }
    case "has": {
      const text = textIn(table, condition.column);
      const has = condition.texts.map((each) => dialect.contains(text, dialect.literal(each) ?? "null"));
      return `(${has.join("\n   or ")})`;
    }
    case "padded": {
      const text = textIn(table, condition.column);
      return `${dialect.exactly(`trim(${text})`)} <> ${dialect.exactly(text)}`;
    }
    case "below":
    case "above":
      return beyondSql(table, condition);
    case "repeated":
      throw new Error("Rows that repeat others are a condition of their own");
    case "orphan": {
      const { schemaName, tableName, columnName } = condition.parent;
      const parent = { table: relationIn(dialect, schemaName, tableName), column: columnName };
      return isOrphan(dialect, columnSql(table, condition.column), parent);
    }
    case "greater":
      return greaterSql(table, condition);
    case "unequal":
      return `abs(${numberSql(table, condition.total)} - (${sumSql(table, condition.terms)})) > ${condition.tolerance}`;
    case "unequalParts":
      return unequalPartsSql(table, condition);
    case "not":
      // What is unknown does not hold, and so its opposite does.
      return `case when ${conditionSql(table, condition.condition)} then 0 else 1 end = 1`;
    case "all":
    case "any": {
      if (condition.of.length === 0) return condition.is === "all" ? `not (${dialect.never})` : dialect.never;
      const parts = condition.of.map((part) => `(${conditionSql(table, part)})`);
      return parts.join(condition.is === "all" ? " and " : "\n   or ");
    }
  }
}

function beyondSql(
  table: SqlTable,
  { is, column, bound }: Extract<Condition, { is: "below" | "above" }>,
): string {
  const { dialect } = table;
  const facts = factsOf(table, column);
  if (facts.kind === "text") return beyondSqlOfText(table, { is, column, bound });
  const value = columnSql(table, column);
  const isMoment = areMoments(facts);
  const finite = isMoment
    ? dialect.isFiniteTime(value)
    : facts.kind === "integer"
      ? null
      : dialect.isFiniteNumber(value);
  const limit = isMoment ? dialect.momentLiteral(bound) : bound;
  const compared = isMoment ? dialect.moment(value) : value;
  return `${compared} ${is === "above" ? ">" : "<"} ${limit}${finite === null ? "" : ` and ${finite}`}`;
}

const areMoments = ({ kind }: ColumnFacts) => kind === "date" || kind === "time";

/** The bound says what the texts are read as. */
function beyondSqlOfText(
  table: SqlTable,
  { is, column, bound }: Extract<Condition, { is: "below" | "above" }>,
): string {
  const isMoment = Number.isNaN(numberOf(bound));
  const value = isMoment ? momentSql(table, column) : numberSql(table, column);
  return `${value} ${is === "above" ? ">" : "<"} ${isMoment ? table.dialect.momentLiteral(bound) : bound}`;
}

function greaterSql(table: SqlTable, condition: Extract<Condition, { is: "greater" }>): string {
  const sides = [condition.left, condition.right];
  const isMoment = condition.areMoments ?? sides.some((name) => areMoments(factsOf(table, name)));
  return sides.map((name) => (isMoment ? momentSql : numberSql)(table, name)).join(" > ");
}

/** A column's value as a number, also where it is a text; NULL where that text is none. */
function numberSql(table: SqlTable, name: string): string {
  const value = columnSql(table, name);
  return factsOf(table, name).kind === "text" ? table.dialect.numberIn(textIn(table, name)) : value;
}

/** The same of moments. */
function momentSql(table: SqlTable, name: string): string {
  const value = columnSql(table, name);
  return factsOf(table, name).kind === "text" ? table.dialect.momentIn(textIn(table, name)) : value;
}

const textIn = (table: SqlTable, name: string) =>
  textOf(table.dialect, factsOf(table, name), columnSql(table, name));

function sumSql(table: SqlTable, terms: readonly Term[]): string {
  return terms
    .map(({ sign, factors }, index) => {
      // A product of nothing counts rows.
      const product = factors.map((factor) => factorSql(table, factor)).join(" * ") || "1";
      return index === 0 ? (sign < 0 ? `- ${product}` : product) : `${sign < 0 ? "-" : "+"} ${product}`;
    })
    .join(" ");
}

function factorSql(table: SqlTable, factor: Factor): string {
  if (typeof factor === "string") return numberSql(table, factor);
  const { column, times, plus } = factor;
  return `(${plus} + ${times} * ${numberSql(table, column)})`;
}

/** Parts are added up once for all rows, and not for each row again. */
function unequalPartsSql(table: SqlTable, condition: Extract<Condition, { is: "unequalParts" }>): string {
  const { dialect } = table;
  const { key, terms, parts, tolerance } = condition;
  const whole = { ...table, calledAs: "whole" };
  const columns = namesIn(parts.terms).map((name) => ({
    name,
    type: "",
    kind: "decimal" as const,
    isNullable: true,
    isPrimaryKey: false,
  }));
  const part = {
    dialect,
    schemaName: parts.schemaName,
    tableName: parts.tableName,
    columns,
    calledAs: "part",
  };
  const reference = `part.${dialect.quote(parts.columnName)}`;
  return `${columnSql(table, key)} in (
    select ${columnSql(whole, key)}
    from ${relationIn(dialect, table.schemaName, table.tableName)} as whole
    join (
      select ${reference} as of_key, sum(${sumSql(part, parts.terms)}) as made
      from ${relationIn(dialect, parts.schemaName, parts.tableName)} as part
      group by ${reference}
    ) as parts on parts.of_key = ${columnSql(whole, key)}
    where abs((${sumSql(whole, terms)}) - parts.made) > ${tolerance}
  )`;
}

const columnSql = ({ dialect, ...table }: SqlTable, name: string) =>
  `${table.calledAs ?? alias}.${dialect.quote(factsOf({ dialect, ...table }, name).name)}`;

function factsOf({ tableName, columns }: SqlTable, name: string): ColumnFacts {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new Error(`${tableName} has no column ${name}`);
  return found;
}
