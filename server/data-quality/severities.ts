/** What scores are made of. Pages load this file without Zod. */

export const severities = ["Low", "Medium", "High", "Critical"] as const;
export type Severity = (typeof severities)[number];

/** The multiplier of a rule's weight in `effectiveWeight`. */
export const severityMultiplier: Record<Severity, number> = { Low: 1, Medium: 2, High: 3, Critical: 4 };

/** A table at or above this score counts as healthy. */
export const healthyScore = 80;
