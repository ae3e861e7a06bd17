import type { RuleType } from "./configuration.ts";
import { customSql } from "./custom-sql.ts";
import { freshness } from "./freshness.ts";
import { nullRate } from "./null-rate.ts";
import { pattern } from "./pattern.ts";
import { range } from "./range.ts";
import { referential } from "./referential.ts";
import type { RuleDefinition } from "./rule.ts";
import { uniqueness } from "./uniqueness.ts";
import { volume } from "./volume.ts";

/** Every type of rule. */
export const ruleDefinitions: Readonly<Record<RuleType, RuleDefinition>> = {
  Freshness: freshness,
  Volume: volume,
  NullRate: nullRate,
  Uniqueness: uniqueness,
  Referential: referential,
  Range: range,
  Pattern: pattern,
  CustomSql: customSql,
};
