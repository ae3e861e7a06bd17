import type { RuleType } from "../data-quality/rules/rules.ts";
import type { Fault } from "./fault.ts";
import type { FindingKind } from "./kinds.ts";

/** What is read off a column's values, or a table's rows, takes those for usual that are doubted. */
const fitted: Record<FindingKind, readonly RuleType[]> = {
  MissingValue: ["NullRate"],
  DisguisedMissing: ["Pattern", "Range"],
  Duplicate: ["Uniqueness"],
  Orphan: ["Referential", "AllowedValues"],
  OutOfRange: ["Range", "Freshness"],
  Format: ["Pattern"],
  Type: ["Pattern"],
  Variant: ["Pattern"],
  Inconsistent: [],
  Impossible: [],
  Stale: ["Freshness"],
  Truncated: ["Volume"],
  Encoding: ["Pattern"],
};

type Rule = { type: RuleType; column: string | null };

/**
 * Whether a rule that holds today repeats or contradicts what is wrong with its table: where two emails are missing,
 * that so many may be missing is no rule. Pure.
 */
export function isContradicted(
  { type, column }: Rule,
  faults: readonly Pick<Fault, "kind" | "columns" | "rule">[],
): boolean {
  return faults.some(
    ({ kind, columns, rule }) =>
      (fitted[kind].includes(type) || rule?.type === type) && (column === null || columns.includes(column)),
  );
}
