import type { StatusKind } from "@/components/ui/status.tsx";
import type { IncidentKind } from "@/server/subscriptions/schema.ts";

/** What blocks a subscription, with its icon, word, and fix. */
export const incidentWords: Record<IncidentKind, { kind: StatusKind; word: string; remedy: string }> = {
  Failing: {
    kind: "critical",
    word: "Failing",
    remedy: "Ends with the next successful run.",
  },
  Stalled: {
    kind: "stalled",
    word: "Stalled",
    remedy: "Ends with the next run that finishes.",
  },
  Undeliverable: {
    kind: "critical",
    word: "Cannot notify",
    remedy: "Ends once everyone has been notified of a later run.",
  },
};
