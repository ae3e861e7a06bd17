import { foundLookOf, type Outcome } from "@/components/subscriptions/outcome-looks.ts";
import { CircleCheck, Hourglass, type LucideIcon } from "@/components/ui/icons.tsx";
import type { StatusKind } from "@/components/ui/status.tsx";
import type { HealthRow, HealthStatus } from "@/server/control-tower/schema.ts";

type HealthLook = { kind: Exclude<StatusKind, "running">; icon?: LucideIcon; word: string; hint: string };

/** Each health status's label, URL value, and explanation. */
export const healthLooks: Record<HealthStatus, HealthLook> = {
  Green: {
    kind: "ok",
    word: "Healthy",
    hint: "At least 90 % of its runs were successful, whatever they found. A subscription that has not run yet counts here for its first day.",
  },
  Amber: {
    kind: "warning",
    word: "Warning",
    hint: "At least 70 % of its runs were successful, but less than 90 %",
  },
  Red: { kind: "critical", word: "Critical", hint: "Less than 70 % of its runs were successful" },
  Stalled: {
    kind: "stalled",
    word: "Stalled",
    hint: "No runs in this window, although it is older than a day",
  },
};

const notRunYet: HealthLook = {
  kind: "neutral",
  icon: Hourglass,
  word: "Not run yet",
  hint: "Less than a day old and has not run. It counts as healthy until it runs.",
};

const healthyBefore: HealthLook = {
  ...healthLooks.Green,
  kind: "neutral",
  icon: CircleCheck,
  hint: "At least 90 % of its runs were successful, but the last one found something or could not run. See “Last run”.",
};

export type Judged = Pick<HealthRow, "status" | "totalExecutions"> & {
  lastExecution: { outcome: Outcome } | null;
};

/**
 * How a subscription looks. Health is about many runs, so one that is healthy is green only if the last of them ran and
 * found nothing; one that has never run is neutral, whatever it counts as.
 */
export function healthLook({ status, totalExecutions, lastExecution }: Judged): HealthLook {
  if (status !== "Green") return healthLooks[status];
  if (totalExecutions === 0) return notRunYet;
  const last = lastExecution && foundLookOf(lastExecution.outcome).kind;
  return last !== "warning" && last !== "critical" ? healthLooks.Green : healthyBefore;
}
