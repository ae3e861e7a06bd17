import type { StatusKind } from "@/components/ui/status.tsx";
import type { Severity } from "@/server/incidents/kinds.ts";
import type { IncidentEventKind, IncidentState } from "@/server/incidents/schema.ts";

/** How incidents look: color by severity while they last. Pure. */

export const severityKinds: Record<Severity, StatusKind> = {
  Critical: "critical",
  High: "warning",
  Medium: "warning",
  Low: "neutral",
};

export const stateKinds: Record<IncidentState, StatusKind> = {
  Open: "critical",
  Acknowledged: "warning",
  Resolved: "ok",
};

/** What each entry of the timeline says before its text, with the person who did it or without. */
export const eventWords: Record<IncidentEventKind, { own: string; by: string }> = {
  Opened: { own: "Began", by: "began it" },
  Joined: { own: "Also", by: "joined it" },
  Changed: { own: "Changed", by: "changed it" },
  Ended: { own: "Ended", by: "ended it" },
  Acknowledged: { own: "Acknowledged", by: "acknowledged it" },
  Assigned: { own: "Assigned to", by: "assigned it to" },
  Silenced: { own: "Silenced", by: "silenced it" },
  Commented: { own: "Comment", by: "commented" },
  Notified: { own: "Notified", by: "notified" },
  Escalated: { own: "Escalated", by: "escalated" },
  Resolved: { own: "Resolved", by: "resolved it" },
};

/** How long it lasted, or has lasted until now; null while the time is not known. Milliseconds. */
export function lastedMs(
  { openedAt, resolvedAt }: { openedAt: string; resolvedAt: string | null },
  now: number | null,
): number | null {
  const end = resolvedAt === null ? now : Date.parse(resolvedAt);
  return end === null ? null : Math.max(0, end - Date.parse(openedAt));
}
