import type { Dialect } from "../data-sources/dialects/dialect.ts";
import type { ResultSet, Statement } from "../data-sources/engines/engine.ts";
import type { Values } from "./rules/rule.ts";
import { type SqlScope, sqlScope } from "./rules/rule-sql.ts";
import type { RuleType } from "./rules/rules.ts";
import { readyRule, sampleQuestion } from "./rules/rules-sql.ts";
import type { Verdict } from "./rules/verdict.ts";

export type Target = { schemaName: string; tableName: string };

/** A rule as stored in the contract. */
export type MeasurableRule = { type: RuleType; configuration: Record<string, unknown> };

/** A rule compiled to one statement, with a function to interpret its result. */
export type CompiledRule = {
  statement: Statement;
  /** Whether it only aggregates the contract's table, so that it can share a scan with others. */
  sharesScan: boolean;
  interpret(result: ResultSet): Verdict;
};

/** Several rules as one statement, with functions to interpret each rule's part, in order. */
export type CompiledScan = { statement: Statement; interpret: ((result: ResultSet) => Verdict)[] };

/** Throws ZodError if the configuration does not fit the type. */
export function compileRule(rule: MeasurableRule, target: Target, dialect: Dialect): CompiledRule {
  const { sql, parameters } = sqlScope(dialect, target);
  const ready = readyRule(rule.type, rule.configuration, sql);
  if ("query" in ready)
    return {
      statement: { sql: ready.query, parameters: [] },
      sharesScan: false,
      interpret: ready.interpret,
    };
  const sharesScan = "aggregates" in ready;
  return {
    statement: {
      sql: sharesScan ? select(ready.aggregates, sql) : ready.statement,
      ...(!sharesScan && ready.acrossCollations && { sqlAcrossCollations: ready.acrossCollations }),
      parameters,
      answersOneRow: true,
      ownSql: sharesScan || !ready.isWritten,
    },
    sharesScan,
    interpret: (result) => ready.interpret(firstRow(result)),
  };
}

/** Rules that share a scan, each with its own aliases. Throws like `compileRule`. */
export function compileScan(
  rules: readonly MeasurableRule[],
  target: Target,
  dialect: Dialect,
): CompiledScan {
  const { sql, parameters } = sqlScope(dialect, target);
  const alias = (name: string, position: number) => `${name}_${position}`;
  const all: Record<string, string> = {};
  const interpret = rules.map(({ type, configuration }, position) => {
    // Rules bind one after another, in the order of the text.
    const ready = readyRule(type, configuration, sql);
    if (!("aggregates" in ready)) throw new Error(`A ${type} rule needs more than aggregates`);
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
    statement: { sql: select(all, sql), parameters, answersOneRow: true, ownSql: true },
    interpret,
  };
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
  const { sql, parameters } = sqlScope(dialect, target);
  const question = sampleQuestion(rule.type, rule.configuration, {
    ...sql,
    column: sql.checked,
    maxRows,
  });
  if (!question) return null;
  if ("statement" in question) return { sql: question.statement, parameters, ownSql: true };
  const { top, limit } = sql.limit(maxRows);
  const shown = columns?.map((name) => sql.checked(name).value).join(", ") ?? "checked.*";
  const rowsWhere = (condition: string) =>
    `select ${top}${shown} from ${sql.table} as checked where ${condition}${limit}`;
  const { failing, failingAcrossCollations, isWritten } = question;
  return {
    sql: rowsWhere(failing),
    ...(failingAcrossCollations && { sqlAcrossCollations: rowsWhere(failingAcrossCollations) }),
    parameters,
    ownSql: !isWritten,
  };
}

function select(aggregates: Record<string, string>, { quote, table }: SqlScope): string {
  const expressions = Object.entries(aggregates).map(
    ([name, expression]) => `${expression} as ${quote(name)}`,
  );
  return `select ${expressions.join(", ")} from ${table}`;
}

function firstRow({ columns, rows: [row] }: ResultSet): Values<string> {
  return Object.fromEntries(
    columns.map(({ name }, index) => {
      const cell = row?.[index] ?? null;
      return [name, cell === null ? null : String(cell)];
    }),
  );
}
