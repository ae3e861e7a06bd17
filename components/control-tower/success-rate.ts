import { formatFixed, formatNumber, formatPercent } from "@/components/ui/format.ts";
import type { HealthRow } from "@/server/control-tower/schema.ts";

/** A rate with one decimal, truncated: 89.96% is not 90.0%, and 99.97% is not 100%. */
export function formatRate(rate: number): string {
  return formatPercent(Math.floor(Math.round(rate * 100) / 10) / 10);
}

/** The exact rate with its counts. */
export function exactRate({
  successRate,
  totalExecutions,
  failedCount,
}: Pick<HealthRow, "successRate" | "totalExecutions" | "failedCount">): string {
  if (successRate === null) return "No runs in this window";
  const successful = formatNumber(totalExecutions - failedCount);
  return `${formatFixed(successRate, 2)} %: ${successful} of ${formatNumber(totalExecutions)} runs were successful`;
}
