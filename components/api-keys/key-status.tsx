import { Ban, CircleCheck, ClockAlert, type LucideIcon } from "@/components/ui/icons.tsx";
import type { KeyState } from "@/server/api-keys/state.ts";
import { Badge } from "../ui/badge.tsx";

const looks: Record<KeyState, { icon: LucideIcon; tone: "ok" | "warning" | "neutral" }> = {
  Active: { icon: CircleCheck, tone: "ok" },
  Expired: { icon: ClockAlert, tone: "warning" },
  Revoked: { icon: Ban, tone: "neutral" },
};

export function KeyStatus({ state }: { state: KeyState }) {
  const { icon: Icon, tone } = looks[state];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className="size-3 shrink-0" />
      {state}
    </Badge>
  );
}
