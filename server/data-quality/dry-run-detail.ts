import { sqlFingerprint } from "../queries/sql-fingerprint.ts";
import type { RuleType } from "./rules/rules.ts";

/** The audit log entry's details for a dry run: rule types, and custom SQL by its hash. */
export function dryRunDetail(rules: readonly { type: RuleType; configuration?: unknown }[]): string {
  const [only] = rules;
  const { sql } = ((rules.length === 1 ? only?.configuration : undefined) as { sql?: unknown }) ?? {};
  if (typeof sql === "string") return `CustomSql, ${sqlFingerprint(sql)}`;
  const counts = Map.groupBy(rules, ({ type }) => type);
  const types = [...counts].map(([type, own]) => (own.length === 1 ? type : `${own.length} ${type}`));
  return types.join(", ") || "no rules";
}
