import { type Severity, severityMultiplier } from "@/server/data-quality/severities.ts";

/** A rule's weight in the overall score. For display only; the server computes the score itself. */

type Weighted = { weight: number; severity: Severity };

/** The specification's effectiveWeight: weight × Low 1, Medium 2, High 3, Critical 4. */
export function effectiveWeightOf({ weight, severity }: Weighted): number {
  return weight * severityMultiplier[severity];
}

/**
 * Each rule's share of the score in percent, in the given order: effectiveWeight / sum(effectiveWeight) × 100.
 * 0 for disabled rules. A weight that is still being typed (NaN) counts as 0.
 */
export function sharesOf(rules: readonly (Weighted & { enabled?: boolean })[]): number[] {
  const weights = rules.map((rule) => {
    const weight = effectiveWeightOf(rule);
    return rule.enabled === false || !Number.isFinite(weight) ? 0 : Math.max(weight, 0);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : (weight / sum) * 100));
}

/** How many points a rule takes off the overall score: share × (100 − score) / 100. */
export function pointsLost(share: number, score: number): number {
  return (share * (100 - score)) / 100;
}
