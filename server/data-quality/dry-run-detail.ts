import { sqlFingerprint } from "../queries/sql-fingerprint.ts";
import type { RuleType } from "./rules/configuration.ts";

/** What the audit log says of rules that were only tried: their types, and a person's own SQL by its hash. */
export function dryRunDetail(rules: readonly { type: RuleType; configuration?: unknown }[]): string {
  const [only] = rules;
  const { sql } = ((rules.length === 1 ? only?.configuration : undefined) as { sql?: unknown }) ?? {};
  if (typeof sql === "string") return `CustomSql, ${sqlFingerprint(sql)}`;
  const counts = Map.groupBy(rules, ({ type }) => type);
  const types = [...counts].map(([type, own]) => (own.length === 1 ? type : `${own.length} ${type}`));
  return types.join(", ") || "no rules";
}
