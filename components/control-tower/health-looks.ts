import { Hourglass, type LucideIcon } from "lucide-react";
import type { StatusKind } from "@/components/ui/status.tsx";
import type { HealthRow, HealthStatus } from "@/server/control-tower/schema.ts";

type HealthLook = { kind: Exclude<StatusKind, "running">; icon?: LucideIcon; word: string; hint: string };

/** What each health is called on the page and in its address, and what it means. */
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
    hint: "It has not run in these days, though it is older than a day",
  },
};

const notRunYet: HealthLook = {
  kind: "neutral",
  icon: Hourglass,
  word: "Not run yet",
  hint: "It is younger than a day and has not run. It counts as healthy until it has.",
};

/** How a subscription looks: one that has never run is neither well nor ill, whatever it is counted as. */
export const healthLook = ({ status, totalExecutions }: Pick<HealthRow, "status" | "totalExecutions">) =>
  status === "Green" && totalExecutions === 0 ? notRunYet : healthLooks[status];
