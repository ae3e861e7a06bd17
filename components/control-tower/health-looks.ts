import type { StatusKind } from "@/components/ui/status.tsx";
import type { HealthStatus } from "@/server/control-tower/schema.ts";

/** What each health is called on the page and in its address, and what it means. */
export const healthLooks: Record<HealthStatus, { kind: StatusKind; word: string; hint: string }> = {
  Green: {
    kind: "ok",
    word: "Healthy",
    hint: "At least 90 % of its runs were successful, or it is younger than a day and has not run yet",
  },
  Amber: {
    kind: "warning",
    word: "Warning",
    hint: "At least 70 % of its runs were successful, and not 90 %",
  },
  Red: { kind: "critical", word: "Critical", hint: "Less than 70 % of its runs were successful" },
  Stalled: {
    kind: "stalled",
    word: "Stalled",
    hint: "It has not run at all, though it is older than a day",
  },
};
