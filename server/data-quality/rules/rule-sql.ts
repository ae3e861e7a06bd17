import type { z } from "zod";
import { relationIn, repeated } from "../../data-sources/dialects/clauses.ts";
import type { Dialect, ScopedColumn, TableReference } from "../../data-sources/dialects/dialect.ts";
import type { Parameter } from "../../data-sources/engines/engine.ts";
import type { MeasuredRule } from "./rule.ts";
import type { RuleOptions } from "./rule-options.ts";
import { rowsCondition } from "./rule-rows.ts";

/** The context of a rule's SQL: the engine's dialect, and the contract's names and values, safely quoted or bound. */
export type SqlScope = Dialect & {
  /** The rows of the contract's table that the rule is about, to be aliased: the table itself, or a query in parentheses. */
  table: string;
  /** The same for a statement that does not alias it. */
  from: string;
  /** Where duplicates are looked for, to be aliased as `checked`, and what makes a group of them count. */
  duplicates: { table: string; having(repeated: string): string };
  /** The contract's table by name, for the database's catalog. */
  target: TableReference;
  /** The columns of a rule by group: as values of `checked`, the same named, and their names. Empty without `groupBy`. */
  groups: { columns: readonly string[]; values: string[]; selected: string[]; names: string[] };
  /** The contract's schema name, for configurations that default to it. */
  schemaName: string;
  /** A qualified and quoted table. */
  relation(schemaName: string, tableName: string): string;
  /** A column of the contract's table; its `value` is what SQL computes with. In a sample, the row's column. */
  column(name: string): ScopedColumn;
  /** The same for statements that alias the table as `checked`, because they also read others. */
  checked(name: string): ScopedColumn;
  /** Binds a value and returns its placeholder. Some engines count by position: bind in the order of the text. */
  bind(value: Parameter): string;
};

/**
 * A rule's query.
 *
 * - `aggregates`: named expressions over the contract's table. Such rules can share one scan.
 * - `statement`: a SELECT of its own whose only row has the named columns; `acrossCollations` is a variant for servers
 *   that do not compare texts of two collations. `isWritten` if it contains SQL from people, which must pass the gate.
 */
export type Question<Measure extends string> =
  | { aggregates: Record<Measure, string> }
  | { statement: string; acrossCollations?: string; isWritten?: true };

/** The context of a sample's SQL. */
export type SampleScope = SqlScope & { maxRows: number };

/**
 * How to show some of what a rule fails for.
 *
 * - `failing`: a condition for the failing rows, over the contract's table as `checked`.
 * - `statement`: a SELECT of its own, limited, if rows alone would not show the problem.
 *
 * `isWritten` as in a question.
 */
export type SampleQuestion =
  | { failing: string; failingAcrossCollations?: string; isWritten?: true }
  | { statement: string };

/**
 * What fails in each group, for a type whose question is a statement.
 *
 * - `failing`: a condition for the failing rows, over the contract's table as `checked`; `all` is the measure that is
 *   the number of all rows.
 * - `statement`: a SELECT of its own with a row for each group in which something fails: the groups' columns, then the
 *   measures.
 */
export type GroupQuestion<Measure extends string> =
  | { failing: string; failingAcrossCollations?: string; all?: Measure; isWritten?: true }
  | { statement: string; isWritten?: true };

/** A condition for rows of `checked`, and what is joined to it for that; `join` adds no rows. */
export type FailingCondition = { failing: string; join?: string };

/** The SQL of a rule type, for a parsed configuration. */
export type RuleSql<Measure extends string = string, Configuration = unknown> = {
  measure(sql: SqlScope, configuration: Configuration): Question<Measure>;
  /** Only for types that can be judged by group, and whose question is a statement. */
  inGroups?(sql: SqlScope, configuration: Configuration): GroupQuestion<Measure>;
  /** Only for types with samples. */
  sample?(sql: SampleScope, configuration: Configuration): SampleQuestion;
  /** Where the sample is a statement: the failing rows of the contract's table, called `checked`. */
  failing?(sql: SqlScope, configuration: Configuration): FailingCondition;
};

/** Defines a rule type's SQL, once for all dialects. */
export function sqlFor<Type extends string, Schema extends z.ZodObject, Measure extends string>(
  _definition: MeasuredRule<Type, Schema, Measure>,
  sql: RuleSql<Measure, z.output<Schema>>,
): RuleSql<Measure, z.output<Schema>> {
  return sql;
}

/** Builds the context of a rule's SQL. Bound values are collected in `parameters`, in the order of the text. */
export function sqlScope(
  dialect: Dialect,
  {
    schemaName,
    tableName,
    columnTypes,
  }: { schemaName: string; tableName: string; columnTypes?: ReadonlyMap<string, string> | undefined },
  options: RuleOptions = {},
): { sql: SqlScope; parameters: Parameter[] } {
  const parameters: Parameter[] = [];
  const table = relationIn(dialect, schemaName, tableName);
  const condition = rowsCondition(dialect, options);
  const rows = condition === null ? table : `(select checked.* from ${table} as checked where ${condition})`;
  const bind = (value: Parameter) => dialect.placeholder(parameters.push(value));
  const columnAs = (name: string, value: string): ScopedColumn => ({
    ...{ schemaName, tableName, table, name, value, bind, type: columnTypes?.get(name) },
  });
  const sql: SqlScope = {
    ...dialect,
    ...{ table: rows, from: condition === null ? table : `${rows} as checked`, schemaName, bind },
    target: { schemaName, tableName, table, bind },
    duplicates: duplicatesIn(dialect, { table, rows, condition, among: options.duplicatesAmong }),
    groups: groupsOf(dialect, options.groupBy ?? []),
    relation: (schema, name) => relationIn(dialect, schema, name),
    column: (name) => columnAs(name, dialect.quote(name)),
    checked: (name) => columnAs(name, `checked.${dialect.quote(name)}`),
  };
  return { sql, parameters };
}

/** The columns of the groups to put before others: selected under their own names, and grouped by. */
export function shownGroups({ groups: { values, columns }, quote }: SqlScope): {
  shown: string;
  values: string;
} {
  return {
    shown: values.map((value, place) => `${value} as ${quote(columns[place] ?? "")}, `).join(""),
    values: values.map((value) => `${value}, `).join(""),
  };
}

function groupsOf({ quote }: Dialect, columns: readonly string[]): SqlScope["groups"] {
  const values = columns.map((name) => `checked.${quote(name)}`);
  const names = columns.map((_, place) => quote(`group_${place + 1}`));
  return { columns, values, names, selected: values.map((value, place) => `${value} as ${names[place]}`) };
}

/**
 * A filter must not hide duplicates: unless told otherwise, all of the table is searched, and a value counts if one of
 * its rows is among those that the rule is about.
 */
function duplicatesIn(
  dialect: Dialect,
  {
    table,
    rows,
    condition,
    among,
  }: { table: string; rows: string; condition: string | null; among: RuleOptions["duplicatesAmong"] },
): SqlScope["duplicates"] {
  if (condition === null || among === "Rows") return { table: rows, having: (repeated) => repeated };
  return { table, having: (repeated) => `${repeated} and ${dialect.countWhere(condition)} > 0` };
}

/**
 * The rows whose values occur more than once among those that are looked at. Joined, because a server would look for the
 * others of each row alone.
 */
export function repeatedRows(sql: SqlScope, columns: readonly string[]): FailingCondition {
  const values = columns.map((column) => sql.checked(column).value);
  const { where, groupBy, having } = repeated(sql, values);
  const selected = values.map((value, place) => `${value} as plumbline_c${place}`).join(", ");
  const same = values.map((value, place) => `repeated.plumbline_c${place} = ${value}`).join(" and ");
  return {
    failing: "repeated.plumbline_n is not null",
    join: `left join (
      select ${selected}, ${sql.count()} as plumbline_n from ${sql.duplicates.table} as checked where ${where}
      group by ${groupBy} having ${sql.duplicates.having(having)}) as repeated on ${same}`,
  };
}
