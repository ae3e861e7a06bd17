/** Severity: how unusual a result is, as an icon with its own shape and a word. */
import { Flame, Info, type LucideIcon, OctagonAlert, TriangleAlert } from "@/components/ui/icons.tsx";
import { Status, type StatusKind } from "@/components/ui/status.tsx";
import type { AnomalySeverity } from "@/server/subscriptions/schema.ts";

const looks: Record<AnomalySeverity, { kind: StatusKind; icon: LucideIcon }> = {
  Low: { kind: "neutral", icon: Info },
  Medium: { kind: "warning", icon: TriangleAlert },
  High: { kind: "critical", icon: OctagonAlert },
  Critical: { kind: "critical", icon: Flame },
};

export function Severity({ severity }: { severity: AnomalySeverity }) {
  return <Status {...looks[severity]}>{severity}</Status>;
}
