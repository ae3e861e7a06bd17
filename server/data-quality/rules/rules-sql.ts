import type { ResultSet } from "../../data-sources/engines/engine.ts";
import { allowedValuesSql } from "./allowed-values.sql.ts";
import { freshnessSql } from "./freshness.sql.ts";
import { nullRateSql } from "./null-rate.sql.ts";
import { patternSql } from "./pattern.sql.ts";
import { rangeSql } from "./range.sql.ts";
import { referentialSql } from "./referential.sql.ts";
import { rowConditionSql } from "./row-condition.sql.ts";
import type { Values } from "./rule.ts";
import type { Question, RuleSql, SampleQuestion, SampleScope, SqlScope } from "./rule-sql.ts";
import {
  type Configuration,
  type DefinitionOf,
  type MeasuredType,
  type RuleType,
  ruleDefinition,
} from "./rules.ts";
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
  Pattern: patternSql,
  AllowedValues: allowedValuesSql,
  RowCondition: rowConditionSql,
};

/** A rule of a contract with its configuration parsed, and its SQL not yet bound. */
export type ReadyRule = (Question<string> & { interpret(values: Values<string>): Verdict }) | ReadyQuery;
export type ReadyQuery = { query: string; interpret(result: ResultSet): Verdict };

/** Throws ZodError if the stored configuration does not fit. */
export function readyRule(type: RuleType, stored: unknown, sql: SqlScope): ReadyRule {
  const definition = ruleDefinition(type);
  const configuration = definition.configuration.parse(stored);
  if ("query" in definition)
    return { query: definition.query(configuration), interpret: definition.interpret };
  return {
    ...sqlOf(type).measure(sql, configuration),
    interpret: (values: Values<string>) => definition.interpret(values, configuration),
  };
}

/** The sample query of a rule; null if its failures cannot be shown. Throws like `readyRule`. */
export function sampleQuestion(type: RuleType, stored: unknown, sql: SampleScope): SampleQuestion | null {
  const { samples, configuration } = ruleDefinition(type);
  return samples ? (sqlOf(type).sample?.(sql, configuration.parse(stored)) ?? null) : null;
}

function sqlOf(type: RuleType): RuleSql {
  const found: Partial<Record<RuleType, RuleSql>> = sqlByType;
  const sql = found[type];
  if (!sql) throw new Error(`${type} rules have no SQL`);
  return sql;
}
