import { type ResultSet, SourceError } from "../../data-sources/engines/engine.ts";
import { Decimal } from "../decimal.ts";
import { allowedValuesSql } from "./allowed-values.sql.ts";
import { aggregatesByGroup, failuresByGroup } from "./by-group.sql.ts";
import { verdictByGroup } from "./by-group.ts";
import { freshnessSql } from "./freshness.sql.ts";
import { failsByRow } from "./has-sample.ts";
import { meanSql } from "./mean.sql.ts";
import { nullRateSql } from "./null-rate.sql.ts";
import { patternSql } from "./pattern.sql.ts";
import { rangeSql } from "./range.sql.ts";
import { referentialSql } from "./referential.sql.ts";
import { rowConditionSql } from "./row-condition.sql.ts";
import type { MeasuredRule, RuleDefinition, Values } from "./rule.ts";
import {
  allRows,
  needsRowCount,
  optionsSchema,
  type RuleOptions,
  splitConfiguration,
  withOptions,
} from "./rule-options.ts";
import type {
  FailingCondition,
  Question,
  RuleSql,
  SampleQuestion,
  SampleScope,
  SqlScope,
} from "./rule-sql.ts";
import {
  type Configuration,
  type DefinitionOf,
  type MeasuredType,
  type RuleType,
  ruleDefinition,
} from "./rules.ts";
import { columnsOfResult, type TableColumn } from "./table-columns.ts";
import { uniqueCombinationSql } from "./unique-combination.sql.ts";
import { uniquenessSql } from "./uniqueness.sql.ts";
import type { Verdict } from "./verdict.ts";
import { volumeSql } from "./volume.sql.ts";

/** The SQL of each rule type, except for those written by users. */
const sqlByType: {
  [Type in MeasuredType]: RuleSql<DefinitionOf<Type>["measures"][number], Configuration<Type>>;
} = {
  Freshness: freshnessSql,
  Volume: volumeSql,
  NullRate: nullRateSql,
  Uniqueness: uniquenessSql,
  UniqueCombination: uniqueCombinationSql,
  Referential: referentialSql,
  Range: rangeSql,
  Mean: meanSql,
  Pattern: patternSql,
  AllowedValues: allowedValuesSql,
  RowCondition: rowConditionSql,
};

/** A rule as stored in the contract. */
export type StoredRule = { type: RuleType; configuration: Record<string, unknown> };

/** A rule of a contract with its configuration parsed, and its SQL not yet bound. */
export type ReadyRule =
  | (Question<string> & { interpret(values: Values<string>): Verdict; options: RuleOptions })
  | ReadyColumns
  | ReadyGroups
  | ReadyQuery;
/** A rule about the table's columns. */
export type ReadyColumns = {
  columns: string;
  interpret(result: ResultSet): Verdict;
  differences(result: ResultSet): ResultSet;
};
/** A rule by group: its statement gives one row per group. */
export type ReadyGroups = {
  byGroup: { statement: string; acrossCollations?: string; isWritten?: true };
  interpret(result: ResultSet): Verdict;
  options: RuleOptions;
};
export type ReadyQuery = { query: string; interpret(result: ResultSet): Verdict };

/** Throws ZodError if the stored configuration does not fit. `sql` must be made for the rule's options. */
export function readyRule({ type, configuration: stored }: StoredRule, sql: SqlScope): ReadyRule {
  const definition = ruleDefinition(type);
  const { own, options } = parsed(definition, stored);
  if ("query" in definition) return { query: definition.query(own), interpret: definition.interpret };
  if ("compares" in definition) throw new Error(`${type} rules are not one statement`);
  if ("reads" in definition)
    return {
      columns: sql.tableColumns(sql.target),
      interpret: (result: ResultSet) => definition.interpret(allColumnsOf(result), own),
      differences: (result: ResultSet) => ({
        ...result,
        ...definition.differences(allColumnsOf(result), own),
      }),
    };
  if (options.groupBy) return readyGroups(type, definition, own, options, sql);
  const { failingRows, byValue } = definition;
  const judged = (values: Values<string>) =>
    withOptions(definition, definition.interpret(values, own), options, {
      failing: failingRows && values[failingRows],
      all: values[allRows],
    });
  return {
    ...counted(sqlOf(type).measure(sql, own), options, sql),
    options,
    interpret(values: Values<string>) {
      const verdict = judged(values);
      if (!byValue || verdict.passed || !verdict.couldRun) return verdict;
      return {
        ...verdict,
        withoutValues: (gone: { values: number; rows: number }) =>
          judged(withoutValues(values, byValue, gone)),
      };
    },
  };
}

/** What would have been measured without some of the failing values and their rows. */
function withoutValues(
  measured: Values<string>,
  { values, rows }: NonNullable<MeasuredRule["byValue"]>,
  gone: { values: number; rows: number },
): Values<string> {
  const less = (name: string, count: number) => {
    const value = measured[name] ?? null;
    return value === null ? {} : { [name]: Decimal.max(0, new Decimal(value).minus(count)).toFixed() };
  };
  return {
    ...measured,
    ...(values !== undefined && less(values, gone.values)),
    ...Object.assign({}, ...[...rows, allRows].map((name) => less(name, gone.rows))),
  };
}

function readyGroups(
  type: RuleType,
  definition: MeasuredRule,
  own: Record<string, unknown>,
  options: RuleOptions,
  scope: SqlScope,
): ReadyGroups {
  const { measure, inGroups } = sqlOf(type);
  const sql = { ...scope, column: scope.checked };
  const question = inGroups?.(sql, own);
  if (question) {
    const all = "all" in question ? question.all : undefined;
    return {
      byGroup: {
        ...failuresByGroup(question, definition.measures, definition.failingRows, sql),
        ...(question.isWritten && { isWritten: true }),
      },
      interpret: (result) =>
        verdictByGroup(definition, own, options, all === undefined ? result : withCopy(result, all)),
      options,
    };
  }
  const aggregated = measure(sql, own);
  if (!("aggregates" in aggregated)) throw new Error(`${type} rules have no SQL by group`);
  return {
    byGroup: { statement: aggregatesByGroup(aggregated.aggregates, sql) },
    interpret: (result) => verdictByGroup(definition, own, options, result),
    options,
  };
}

/** The same result with the number of all rows under one more name. */
function withCopy(result: ResultSet, name: string): ResultSet {
  const place = result.columns.findIndex((each) => each.name === allRows);
  const type = result.columns[place]?.type ?? "";
  return {
    ...result,
    columns: [...result.columns, { name, type }],
    rows: result.rows.map((row) => [...row, row[place] ?? null]),
  };
}

/** The options of a stored rule. Throws ZodError if they do not fit. */
export const optionsOf = ({ type, configuration }: StoredRule): RuleOptions =>
  parsed(ruleDefinition(type), configuration).options;

function parsed(definition: RuleDefinition, stored: Readonly<Record<string, unknown>>) {
  const { own, options } = splitConfiguration(definition, stored);
  return { own: definition.configuration.parse(own), options: optionsSchema.parse(options) };
}

/** The same question with the number of all rows, if the options need it. */
function counted(question: Question<string>, options: RuleOptions, sql: SqlScope): Question<string> {
  if (!needsRowCount(options)) return question;
  if ("aggregates" in question) return { aggregates: { ...question.aggregates, [allRows]: sql.count() } };
  const all = `(select ${sql.count()} from ${sql.table} as checked) as ${sql.quote(allRows)}`;
  const withAll = (statement: string) => `select counted.*, ${all} from (${statement}\n) as counted`;
  const { statement, acrossCollations } = question;
  return {
    ...question,
    statement: withAll(statement),
    ...(acrossCollations && { acrossCollations: withAll(acrossCollations) }),
  };
}

/** The sample query of a rule; null if its failures cannot be shown. Throws like `readyRule`. */
export function sampleQuestion({ type, configuration }: StoredRule, sql: SampleScope): SampleQuestion | null {
  const definition = ruleDefinition(type);
  if (!definition.samples || "reads" in definition || "compares" in definition) return null;
  return sqlOf(type).sample?.(sql, parsed(definition, configuration).own) ?? null;
}

/**
 * The condition for the failing rows of a rule, over the contract's table as `checked`; null if it does not fail row by
 * row. Throws like `readyRule`.
 */
export function failingQuestion(
  rule: StoredRule,
  sql: SqlScope,
): (Extract<SampleQuestion, { failing: string }> & FailingCondition) | null {
  const definition = ruleDefinition(rule.type);
  if (!failsByRow(rule.type) || "query" in definition || "reads" in definition || "compares" in definition)
    return null;
  const failing = sqlOf(rule.type).failing?.(sql, parsed(definition, rule.configuration).own);
  if (failing !== undefined) return failing;
  const question = sampleQuestion(rule, { ...sql, column: sql.checked, maxRows: 1 });
  return question && "failing" in question ? question : null;
}

function sqlOf(type: RuleType): RuleSql {
  const found: Partial<Record<RuleType, RuleSql>> = sqlByType;
  const sql = found[type];
  if (!sql) throw new Error(`${type} rules have no SQL`);
  return sql;
}

/** Throws SourceError if there are more than were read. */
export function allColumnsOf(result: ResultSet): TableColumn[] {
  if (result.truncated) throw new SourceError("statement", "The table has too many columns to compare");
  return columnsOfResult(result);
}
