import type { Decimal } from "../decimal.ts";
import { type RuleType, ruleDefinition } from "./rules.ts";

/**
 * Whether a result has rows to show: rows failed, and the rule could run. A rule that some rows may fail shows them even
 * if it passed. The browser loads this file too.
 */
export function hasSample(
  { type, configuration }: { type: RuleType; configuration: Readonly<Record<string, unknown>> },
  { passed, couldRun, failing }: { passed: boolean; couldRun: boolean; failing: Decimal | number | null },
): boolean {
  const { maxFailingRows, maxFailingPercent } = configuration;
  const isWithin = (maxFailingRows ?? maxFailingPercent) !== undefined && Number(failing ?? 0) > 0;
  return couldRun && (!passed || isWithin) && ruleDefinition(type).samples !== null;
}
