/** What incidents can be. Pages load this file without Zod. */

/** Most to least severe. */
export const severities = ["Critical", "High", "Medium", "Low"] as const;
export type Severity = (typeof severities)[number];
