import { Badge } from "@/components/ui/badge.tsx";
import { Diff, Minus, Plus } from "@/components/ui/icons.tsx";
import type { ActionChange } from "./plan-difference.ts";

const looks = {
  added: { tone: "ok", icon: Plus },
  removed: { tone: "critical", icon: Minus },
  changed: { tone: "warning", icon: Diff },
} as const;

/** How an action differs from the previous version; nothing if unchanged. */
export function ChangeBadge({ change }: { change: ActionChange["change"] }) {
  if (change === "same") return null;
  const { tone, icon: Icon } = looks[change];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className="size-3" />
      {change}
    </Badge>
  );
}
