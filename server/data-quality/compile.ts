import type { Dialect } from "../data-sources/dialects/dialect.ts";
import type { Parameter, ResultSet, Statement } from "../data-sources/engines/engine.ts";
import { maxGroups } from "./rules/by-group.ts";
import type { Values } from "./rules/rule.ts";
import { type SqlScope, sqlScope } from "./rules/rule-sql.ts";
import { ruleDefinition } from "./rules/rules.ts";
import { failingQuestion, optionsOf, readyRule, type StoredRule, sampleQuestion } from "./rules/rules-sql.ts";
import { columnLimits } from "./rules/table-columns.ts";
import type { Verdict } from "./rules/verdict.ts";

export type Target = {
  schemaName: string;
  tableName: string;
  /** The types of the table's columns by name, as last read, to choose faster statements with. They may have changed. */
  columnTypes?: ReadonlyMap<string, string> | undefined;
};

export type MeasurableRule = StoredRule;

/** A rule compiled to one statement, with a function to interpret its result. */
export type CompiledRule = {
  statement: Statement;
  /**
   * Rules with the same text can share a scan: they only aggregate the contract's table, and are about the same rows.
   * null for a rule that cannot.
   */
  sharesScan: string | null;
  /** The maximum size of the result; one row by default. */
  size?: { maxRows: number; maxBytes: number };
  interpret(result: ResultSet): Verdict;
};

/** Several rules as one statement, with functions to interpret each rule's part, in order. */
export type CompiledScan = { statement: Statement; interpret: ((result: ResultSet) => Verdict)[] };

/** Throws ZodError if the configuration does not fit the type. */
export function compileRule(rule: MeasurableRule, target: Target, dialect: Dialect): CompiledRule {
  const { sql, parameters } = sqlScope(dialect, target, optionsOf(rule));
  const ready = readyRule(rule, sql);
  if ("query" in ready)
    return {
      statement: { sql: ready.query, parameters: [] },
      sharesScan: null,
      interpret: ready.interpret,
    };
  if ("columns" in ready)
    return {
      statement: { sql: ready.columns, parameters, ownSql: true },
      sharesScan: null,
      size: columnsSize,
      interpret: ready.interpret,
    };
  if ("byGroup" in ready) {
    const { statement, acrossCollations, isWritten } = ready.byGroup;
    return {
      statement: {
        sql: statement,
        ...(acrossCollations && { sqlAcrossCollations: acrossCollations }),
        parameters,
        ownSql: ready.options.where === undefined && !isWritten,
      },
      sharesScan: null,
      size: groupsSize,
      interpret: ready.interpret,
    };
  }
  const isAggregate = "aggregates" in ready;
  return {
    statement: {
      sql: isAggregate ? select(ready.aggregates, sql) : ready.statement,
      ...(!isAggregate && ready.acrossCollations && { sqlAcrossCollations: ready.acrossCollations }),
      parameters,
      answersOneRow: true,
      ownSql: ready.options.where === undefined && (isAggregate || !ready.isWritten),
    },
    sharesScan: isAggregate ? sql.table : null,
    interpret: (result) => ready.interpret(firstRow(result)),
  };
}

/** Rules that share a scan, being about the same rows, each with its own aliases. Throws like `compileRule`. */
export function compileScan(
  rules: readonly MeasurableRule[],
  target: Target,
  dialect: Dialect,
): CompiledScan {
  const [first] = rules;
  const options = first ? optionsOf(first) : {};
  const { sql, parameters } = sqlScope(dialect, target, options);
  const alias = (name: string, position: number) => `${name}_${position}`;
  const all: Record<string, string> = {};
  const interpret = rules.map((rule, position) => {
    // Rules bind one after another, in the order of the text.
    const ready = readyRule(rule, sql);
    if (!("aggregates" in ready)) throw new Error(`A ${rule.type} rule needs more than aggregates`);
    const names = Object.keys(ready.aggregates);
    for (const name of names) all[alias(name, position)] = ready.aggregates[name] ?? "null";
    return (result: ResultSet) => {
      const row = firstRow(result);
      return ready.interpret(
        Object.fromEntries(names.map((name) => [name, row[alias(name, position)] ?? null])),
      );
    };
  });
  return {
    statement: {
      sql: select(all, sql),
      parameters,
      answersOneRow: true,
      ownSql: options.where === undefined,
    },
    interpret,
  };
}

/** The maximum size of all groups of a rule by group. One more shows that there are too many. */
const groupsSize = { maxRows: maxGroups + 1, maxBytes: 1024 * 1024 };

/** The maximum size of a table's columns. */
export const columnsSize = { maxRows: columnLimits.read, maxBytes: 16 * 1024 * 1024 };

/**
 * A statement for the columns of a table, and a function that finds in its result what differs from those that were
 * approved; null for a rule about rows. Throws like `compileRule`.
 */
export function compileDifferences(
  rule: MeasurableRule,
  target: Target,
  dialect: Dialect,
): { statement: Statement; differences(result: ResultSet): ResultSet } | null {
  if (!("reads" in ruleDefinition(rule.type))) return null;
  const { sql, parameters } = sqlScope(dialect, target, optionsOf(rule));
  const ready = readyRule(rule, sql);
  if (!("columns" in ready)) return null;
  return { statement: { sql: ready.columns, parameters, ownSql: true }, differences: ready.differences };
}

/** The size of a sample: the number of rows, and the columns if not all. */
export type SampleSize = { maxRows: number; columns?: readonly string[] | undefined };

/** A statement for some of a rule's failing rows; null for a type without failing rows. Throws like `compileRule`. */
export function compileSample(
  rule: MeasurableRule,
  target: Target,
  dialect: Dialect,
  { maxRows, columns }: SampleSize,
): Statement | null {
  const options = optionsOf(rule);
  const { sql, parameters } = sqlScope(dialect, target, options);
  const question = sampleQuestion(rule, {
    ...sql,
    column: sql.checked,
    maxRows,
  });
  if (!question) return null;
  const ownSql = options.where === undefined;
  if ("statement" in question) return { sql: question.statement, parameters, ownSql };
  const { top, limit } = sql.limit(maxRows);
  const shown = columns?.map((name) => sql.checked(name).value).join(", ") ?? "checked.*";
  const rowsWhere = (condition: string) =>
    `select ${top}${shown} from ${sql.table} as checked where ${condition}${limit}`;
  const { failing, failingAcrossCollations, isWritten } = question;
  return {
    sql: rowsWhere(failing),
    ...(failingAcrossCollations && { sqlAcrossCollations: rowsWhere(failingAcrossCollations) }),
    parameters,
    ownSql: ownSql && !isWritten,
  };
}

/** Whether a rule's failing rows can be told apart by the value of its column. By group, a value can fail in some of them. */
export function isToldByValue({ type, configuration }: MeasurableRule): boolean {
  const definition = ruleDefinition(type);
  return (
    "byValue" in definition && definition.byValue !== undefined && (configuration.groupBy ?? null) === null
  );
}

/**
 * A statement for the values that a rule's failing rows have in its column, each with its number of rows, most frequent
 * first; null for a type that does not tell its failing rows apart by value. Throws like `compileRule`.
 */
export function compileFailingValues(
  rule: MeasurableRule & { column: string | null },
  target: Target,
  dialect: Dialect,
  maxRows: number,
): Statement | null {
  const options = optionsOf(rule);
  const { sql, parameters } = sqlScope(dialect, target, options);
  if (!isToldByValue(rule) || rule.column === null) return null;
  const { top, limit } = sql.limit(maxRows);
  const { value } = sql.checked(rule.column);
  const question = sampleQuestion(rule, { ...sql, column: sql.checked, maxRows });
  if (!question) return null;
  // Its sample is a list of values with their rows.
  if ("statement" in question)
    return { sql: question.statement, parameters, ownSql: options.where === undefined };
  const counted = (condition: string) =>
    `select ${top}${value} as ${sql.quote(rule.column ?? "")}, ${sql.count()} as ${sql.quote("failing_rows")}
    from ${sql.table} as checked where ${condition} group by ${value} order by 2 desc, 1${limit}`;
  const { failing, failingAcrossCollations, isWritten } = question;
  return {
    sql: counted(failing),
    ...(failingAcrossCollations && { sqlAcrossCollations: counted(failingAcrossCollations) }),
    parameters,
    ownSql: options.where === undefined && !isWritten,
  };
}

/** The failing rows of a rule, for statements that call the table `checked`. */
export type FailingRows = {
  /** The rows that the rule is about, to be called `checked`. */
  table: string;
  /** What is joined to them for the condition; adds no rows. Often empty. */
  join: string;
  condition: string;
  conditionAcrossCollations?: string | undefined;
  parameters: Parameter[];
  /** Whether no part of it was written by people. */
  ownSql: boolean;
};

/** null for a rule that does not fail row by row. Throws like `compileRule`. */
export function compileFailing(rule: MeasurableRule, target: Target, dialect: Dialect): FailingRows | null {
  const options = optionsOf(rule);
  const { sql, parameters } = sqlScope(dialect, target, options);
  const question = failingQuestion(rule, sql);
  if (!question) return null;
  return {
    table: sql.table,
    join: question.join ?? "",
    condition: question.failing,
    conditionAcrossCollations: question.failingAcrossCollations,
    parameters,
    ownSql: options.where === undefined && !question.isWritten,
  };
}

function select(aggregates: Record<string, string>, { quote, from }: SqlScope): string {
  const expressions = Object.entries(aggregates).map(
    ([name, expression]) => `${expression} as ${quote(name)}`,
  );
  return `select ${expressions.join(", ")} from ${from}`;
}

function firstRow({ columns, rows: [row] }: ResultSet): Values<string> {
  return Object.fromEntries(
    columns.map(({ name }, index) => {
      const cell = row?.[index] ?? null;
      return [name, cell === null ? null : String(cell)];
    }),
  );
}
