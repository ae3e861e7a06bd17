import { isDeepStrictEqual } from "node:util";
import type { RuleWrite } from "../rule-schema.ts";
import type { ImportedRule } from "./suite.ts";

/** A rule as it is stored, to compare it at the next import. */
export const importedOf = ({
  name,
  type,
  column,
  severity,
  weight,
  enabled,
  configuration,
}: RuleWrite): ImportedRule =>
  JSON.parse(JSON.stringify({ name, type, column, severity, weight, enabled, configuration }));

export function isSame(one: ImportedRule, other: ImportedRule): boolean {
  const compared = ({ name, type, column, severity, weight, enabled, configuration }: ImportedRule) =>
    JSON.parse(JSON.stringify({ name, type, column, severity, weight, enabled, configuration })) as unknown;
  return isDeepStrictEqual(compared(one), compared(other));
}
