import type { StatusKind } from "@/components/ui/status.tsx";
import { healthyScore, type Trend } from "@/server/data-quality/schema.ts";

/** What scores mean, in an icon and a word. */

export type ScoreStatus = { kind: StatusKind; word: string };

/** Below this a table is critical. Our own line: the specification names only the healthy one. */
export const criticalScore = 50;

export const tableLegend = `Healthy from ${healthyScore}, critical below ${criticalScore}, warning between.`;

/** A table by its latest score. */
export function tableStatusOf(score: number | null): ScoreStatus {
  if (score === null) return { kind: "neutral", word: "Not evaluated" };
  if (score >= healthyScore) return { kind: "ok", word: "Healthy" };
  return score < criticalScore
    ? { kind: "critical", word: "Critical" }
    : { kind: "warning", word: "Warning" };
}

/** A contract by its own threshold. Exactly at the threshold is met: an alert needs a score strictly below. */
export function contractStatusOf(score: number | null, failureThreshold: number): ScoreStatus {
  if (score === null) return { kind: "neutral", word: "Not evaluated" };
  return score < failureThreshold
    ? { kind: "critical", word: "Below threshold" }
    : { kind: "ok", word: "Threshold met" };
}

export const trendDirection = {
  Improving: "up",
  Stable: "flat",
  Degrading: "down",
} as const satisfies Record<Trend, "up" | "flat" | "down">;

/** How far the score moved, without a sign and without the float's tail: 82.35 after 86.4 is 4.05. */
export function movedBy(score: number | null, previous: number | null): number | null {
  return score === null || previous === null ? null : Math.round(Math.abs(score - previous) * 100) / 100;
}
