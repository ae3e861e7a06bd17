import type { DbtNode } from "./manifest.ts";

/** When a test fails: what dbt counts, and how many there may be. */
export type Threshold = {
  /** Any failure fails it. */
  isUsual: boolean;
  /** The number of failures that are allowed; null if it is not one number. */
  allowed: number | null;
  /** The comparison in SQL: `> 10`. */
  fails: string;
  /** What is counted, in SQL. */
  counted: string;
  notes: string[];
};

const usual = ["!=0", "<>0", ">0", ">=1"];
/** Comparisons with numbers, and nothing else. */
const comparisons =
  /^(?:[<>=!]{1,2}\s*-?\d{1,15}(?:\.\d{1,15})?)(?:\s+(?:and|or)\s+failures\s*[<>=!]{1,2}\s*-?\d{1,15})*$/i;

/** A test with severity warn has its limit in `warn_if`, and any other in `error_if`. */
export function thresholdOf({ config }: DbtNode): Threshold | { reason: string } {
  const isWarning = config?.severity?.toLowerCase() === "warn";
  const own = isWarning ? "warn_if" : "error_if";
  const condition = config?.[own]?.trim() || "!= 0";
  const counted = config?.fail_calc?.trim() || "count(*)";
  const isUsual = usual.includes(condition.replace(/\s/g, ""));
  if (!isUsual && !comparisons.test(condition))
    return { reason: `Its ${own} is not a comparison with a number: ${condition.slice(0, 100)}` };
  if (counted.length > 500) return { reason: "Its fail_calc is longer than 500 characters" };
  const other = config?.warn_if?.trim();
  const isTwofold = !isWarning && other && !usual.includes(other.replace(/\s/g, "")) && other !== condition;
  const notes = isTwofold
    ? [`dbt also warns if the failures are ${other.slice(0, 100)}; a rule has one limit.`]
    : [];
  return { isUsual, counted, notes, allowed: allowedBy(condition), fails: isUsual ? "<> 0" : condition };
}

function allowedBy(condition: string): number | null {
  const [, operator, count] = /^(>=?)\s*(\d{1,15})$/.exec(condition) ?? [];
  if (operator === undefined) return null;
  const allowed = Number(count) - (operator === ">" ? 0 : 1);
  return allowed >= 1 ? allowed : null;
}
