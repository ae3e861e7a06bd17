import { severityKinds } from "@/components/incidents/incident-looks.ts";
import { Status, type StatusKind } from "@/components/ui/status.tsx";
import type { LineageNode } from "@/server/lineage/schema.ts";
import { stateWords } from "./lineage-words.ts";

/** Whether a table is well: its worst incident, what is unusual about it, or its score, in color and in words. */
export function NodeState({ node, className }: { node: LineageNode; className?: string }) {
  const words = stateWords(node);
  if (words === null) return null;
  const kind = stateKind(node);
  if (kind === null) return <span className="truncate text-xs text-ink-3 tabular-nums">{words}</span>;
  return (
    <Status kind={kind} className={className ?? "text-xs"}>
      {words}
    </Status>
  );
}

export function stateKind({ incident, alertCount }: LineageNode): StatusKind | null {
  if (incident) return severityKinds[incident.severity];
  return alertCount > 0 ? "warning" : null;
}
