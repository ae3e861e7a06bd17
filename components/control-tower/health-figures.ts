import { formatCount, formatNumber } from "@/components/ui/format.ts";
import type { HealthStatus, Statistics } from "@/server/control-tower/schema.ts";

/** The figure of each health status, in the order in which they are shown. */
export const healthFigures = [
  ["Green", "healthySubscriptions"],
  ["Amber", "warningSubscriptions"],
  ["Red", "criticalSubscriptions"],
  ["Stalled", "stalledSubscriptions"],
] as const satisfies readonly (readonly [HealthStatus, keyof Statistics])[];

/** A count as a figure shows it: short, with the exact number on hover where that says more. */
export function countFigure(value: number): { value: string; title?: string } {
  const [short, title] = [formatCount(value), formatNumber(value)];
  return { value: short, ...(short !== title && { title }) };
}
