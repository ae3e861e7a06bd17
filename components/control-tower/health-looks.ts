import { Hourglass, type LucideIcon } from "@/components/ui/icons.tsx";
import type { StatusKind } from "@/components/ui/status.tsx";
import type { HealthRow, HealthStatus } from "@/server/control-tower/schema.ts";

type HealthLook = { kind: Exclude<StatusKind, "running">; icon?: LucideIcon; word: string; hint: string };

/** Each health status's label, URL value, and explanation. */
export const healthLooks: Record<HealthStatus, HealthLook> = {
  Green: {
    kind: "ok",
    word: "Healthy",
    hint: "At least 90 % of its runs were successful. A subscription that has not run yet counts here for its first day.",
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

/** How a subscription looks: one that has never run is neutral, whatever it counts as. */
export const healthLook = ({ status, totalExecutions }: Pick<HealthRow, "status" | "totalExecutions">) =>
  status === "Green" && totalExecutions === 0 ? notRunYet : healthLooks[status];
