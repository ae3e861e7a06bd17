import { type Severity, severityMultiplier } from "@/server/data-quality/schema.ts";

/** What a rule counts for in the overall score. Pure arithmetic for showing; the score itself is the service's. */

type Weighted = { weight: number; severity: Severity };

/** The specification's effectiveWeight: weight × Low 1, Medium 2, High 3, Critical 4. */
export function effectiveWeightOf({ weight, severity }: Weighted): number {
  return weight * severityMultiplier[severity];
}

/**
 * Each rule's part of the score in per cent, in the order given: effectiveWeight / sum(effectiveWeight) × 100.
 * A disabled rule has none. A weight that is still being typed (NaN) counts as nothing.
 */
export function sharesOf(rules: readonly (Weighted & { enabled?: boolean })[]): number[] {
  const weights = rules.map((rule) => {
    const weight = effectiveWeightOf(rule);
    return rule.enabled === false || !Number.isFinite(weight) ? 0 : Math.max(weight, 0);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : (weight / sum) * 100));
}

/** How many points of the overall score a rule takes away: share × (100 − score) / 100. */
export function pointsLost(share: number, score: number): number {
  return (share * (100 - score)) / 100;
}
