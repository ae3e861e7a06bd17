import { Decimal as Base } from "decimal.js";
import { type Severity, severityMultiplier } from "./schema.ts";

/**
 * Arithmetic for scores and measurements: decimals, never floats, with more digits than any count has. Halves
 * are rounded away from zero.
 */
export const Decimal = Base.clone({ precision: 60, rounding: Base.ROUND_HALF_UP });
export type Decimal = Base;

/** A score as it is stored and shown: two places, half away from zero (1.005 is 1.01). */
export function roundScore(score: Decimal): number {
  return new Decimal(score).toDecimalPlaces(2).toNumber();
}

type Weighted = { score: Decimal; weight: number; severity: Severity };

/**
 * sum(ruleScore × effectiveWeight) / sum(effectiveWeight), where effectiveWeight = weight × the severity's
 * multiplier. Rules count with their exact scores and only the result is rounded, so that a third and two
 * thirds make a whole. 100 when there are no rules.
 */
export function overallScore(rules: readonly Weighted[]): number {
  let total = new Decimal(0);
  let weights = new Decimal(0);
  for (const rule of rules) {
    const effectiveWeight = new Decimal(rule.weight).times(severityMultiplier[rule.severity]);
    total = total.plus(effectiveWeight.times(rule.score));
    weights = weights.plus(effectiveWeight);
  }
  return weights.isZero() ? 100 : roundScore(total.dividedBy(weights));
}
