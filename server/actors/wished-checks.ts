import type { RuleType } from "../data-quality/rules/rules.ts";

/** The possible checks, by type of rule. The built-in planner supports the first five. */
export const wishedChecks = [
  "Freshness",
  "Volume",
  "NullRate",
  "Uniqueness",
  "Referential",
  "Range",
  "Pattern",
] as const satisfies readonly RuleType[];
export type WishedCheck = (typeof wishedChecks)[number];

/** The names of the checks in a sentence. */
export const checkNames: Record<WishedCheck, string> = {
  Freshness: "freshness",
  Volume: "volume",
  NullRate: "missing values",
  Uniqueness: "duplicates",
  Referential: "references",
  Range: "ranges",
  Pattern: "patterns",
};
