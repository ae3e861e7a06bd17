/** Parts of the sentences that describe what a rule checks. */

export const noColumn = "no column yet";

/** Two bounds, either of which may be missing: "10 to 20 rows". */
export function between(min: string | null, max: string | null, unit = ""): string {
  if (min !== null && max !== null) return `${min} to ${max}${unit}`;
  if (min !== null) return `at least ${min}${unit}`;
  return max === null ? "no bound yet" : `at most ${max}${unit}`;
}
