import type { Decimal } from "../decimal.ts";
import { type RuleType, ruleDefinition } from "./rules.ts";

/**
 * Whether a result has rows to show: rows failed, and the rule could run. A rule that some rows may fail shows them even
 * if it passed, and so does one that only reports changes. The browser loads this file too.
 */
export function hasSample(
  { type, configuration }: { type: RuleType; configuration: Readonly<Record<string, unknown>> },
  { passed, couldRun, failing }: { passed: boolean; couldRun: boolean; failing: Decimal | number | null },
): boolean {
  const { maxFailingRows, maxFailingPercent } = configuration;
  const { samples } = ruleDefinition(type);
  const mayPassWith = (maxFailingRows ?? maxFailingPercent) !== undefined || samples?.of === "changes";
  return couldRun && (!passed || (mayPassWith && Number(failing ?? 0) > 0)) && samples !== null;
}

/** Whether failing rows are read after measuring; other types find them by measuring. */
export const readsSample = ({ type }: { type: RuleType }) => !("compares" in ruleDefinition(type));

/** Whether a type fails row by row, so that failing rows can be held against the others. */
export function failsByRow(type: RuleType): boolean {
  const definition = ruleDefinition(type);
  const isOther = "query" in definition || "reads" in definition || "compares" in definition;
  return !isOther && definition.samples !== null;
}
