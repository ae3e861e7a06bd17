import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { RuleOptions } from "./rule-options.ts";

/**
 * The condition for the rows a rule is about, over the contract's table as `checked`; null for all of them. Line breaks
 * end a comment at the end of what was written.
 */
export function rowsCondition(
  { quote, ago, moment }: Dialect,
  { where, lastHours, timeColumn }: RuleOptions,
): string | null {
  const parts = [
    ...(timeColumn !== undefined && lastHours !== undefined
      ? [`${moment(`checked.${quote(timeColumn)}`)} >= ${ago(lastHours * 60, "minutes")}`]
      : []),
    ...(where !== undefined ? [`(\n${where}\n)`] : []),
  ];
  return parts.length === 0 ? null : parts.join(" and ");
}
