import { ruleTypes } from "../data-quality/rules/rules.ts";
import type { Dialect } from "../data-sources/dialects/dialect.ts";
import type { RuleProposal } from "./candidate.ts";
import type { Condition } from "./condition.ts";
import { countSql, type SqlTable } from "./condition-sql.ts";
import type { FindingKind } from "./kinds.ts";
import type { ProposedRule } from "./schema.ts";

/** As a rule stores it. */
const maxSqlLength = 20_000;

/**
 * What a contract would take: the rule that a detector proposes, or where no type of rule says it, SQL that passes as
 * long as no row is doubted. null where neither is there. Pure.
 */
export function ruleFor(
  proposed: RuleProposal | null,
  condition: Condition | null,
  table: SqlTable,
): ProposedRule | null {
  const type = ruleTypes.find((each) => each === proposed?.type);
  if (proposed !== null && type) return { type, configuration: { ...proposed.configuration } };
  if (condition === null) return null;
  const sql = noneSql(table.dialect, countSql(table, condition));
  return sql.length > maxSqlLength ? null : { type: "CustomSql", configuration: { sql } };
}

const noneSql = ({ asTruth }: Dialect, count: string) =>
  `select ${asTruth("counted.n = 0")} as passed, counted.n as actual_value\nfrom (\n${count}\n) as counted`;

const promises: Record<FindingKind, string> = {
  MissingValue: "No missing values",
  DisguisedMissing: "No placeholders",
  Duplicate: "No duplicates",
  Orphan: "No orphans",
  OutOfRange: "In range",
  Format: "Well-formed",
  Type: "Of one type",
  Variant: "Written one way",
  Inconsistent: "Consistent",
  Impossible: "Possible",
  Stale: "Up to date",
  Truncated: "Complete",
  Encoding: "Readable",
};

/** What the rule is called: `No missing values: email`. Pure. */
export function ruleNameFor(kind: FindingKind, columns: readonly string[]): string {
  const name = columns.length === 0 ? promises[kind] : `${promises[kind]}: ${columns.join(", ")}`;
  return name.length <= 200 ? name : `${name.slice(0, 199).toWellFormed()}…`;
}
