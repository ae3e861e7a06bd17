import { formatNumber } from "@/components/ui/format.ts";
import type { StatusKind } from "@/components/ui/status.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import type { Trend } from "@/server/data-quality/score-schema.ts";
import { healthyScore } from "@/server/data-quality/severities.ts";

/** A score's icon and word: the same wherever the score is shown. */

export type ScoreStatus = { kind: StatusKind; word: string };

/** A score compared with its threshold. An equal score meets it. */
export function scoreStatusOf(score: number | null, line: number): ScoreStatus {
  if (score === null) return { kind: "neutral", word: "Not evaluated yet" };
  return score < line
    ? { kind: "critical", word: `Below ${formatNumber(line, 2)}` }
    : { kind: "ok", word: `Meets ${formatNumber(line, 2)}` };
}

/** Without an evaluation there is no data status, whatever the last score was. */
const unreachable: ScoreStatus = { kind: "stalled", word: "Could not evaluate" };

type Outage = Contract["outage"];

export const tableLegend = `Healthy from ${healthyScore}.`;

/** A table's status, by its last measured score. */
export function tableStatusOf(score: number | null, outage: Outage = null): ScoreStatus {
  if (outage) return unreachable;
  const status = scoreStatusOf(score, healthyScore);
  return status.kind === "ok" ? { ...status, word: "Healthy" } : status;
}

/** A contract's status, by its own threshold: an alert needs a score strictly below it. */
export function contractStatusOf({
  measured,
  outage,
  failureThreshold,
}: {
  measured: { score: number } | null;
  outage: Outage;
  failureThreshold: number;
}): ScoreStatus {
  return outage ? unreachable : scoreStatusOf(measured?.score ?? null, failureThreshold);
}

/** The status of a group of tables: the worst one counts, with how many there are; never an average. */
export function tablesStatusOf({
  tableCount,
  healthyTables,
  outageTables,
}: {
  tableCount: number;
  healthyTables: number;
  outageTables: number;
}): ScoreStatus {
  const below = tableCount - healthyTables;
  if (below > 0) return { kind: "critical", word: `${below} of ${tableCount} below ${healthyScore}` };
  if (outageTables > 0) return { kind: "stalled", word: `${outageTables} could not be evaluated` };
  return tableCount === 0 ? { kind: "neutral", word: "Not evaluated yet" } : { kind: "ok", word: "Healthy" };
}

export const trendDirection = {
  Improving: "up",
  Stable: "flat",
  Degrading: "down",
} as const satisfies Record<Trend, "up" | "flat" | "down">;

/** How far the score moved, unsigned and without floating-point noise: 82.35 after 86.4 is 4.05. */
export function movedBy(score: number | null, previous: number | null): number | null {
  return score === null || previous === null ? null : Math.round(Math.abs(score - previous) * 100) / 100;
}
