import { Decimal } from "./decimal.ts";
import { type Severity, severityMultiplier } from "./severities.ts";

/** A score as stored and shown: two places, halves rounded away from zero (1.005 is 1.01). */
export function roundScore(score: Decimal): number {
  return new Decimal(score).toDecimalPlaces(2).toNumber();
}

type Weighted = { score: Decimal; weight: number; severity: Severity };

/**
 * sum(ruleScore × effectiveWeight) / sum(effectiveWeight), where effectiveWeight = weight × the severity's multiplier.
 * Rule scores are exact and only the result is rounded, so that one third and two thirds add up. 100 if there are no
 * rules.
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
