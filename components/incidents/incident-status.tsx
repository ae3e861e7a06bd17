import { Status } from "@/components/ui/status.tsx";
import type { Incident } from "@/server/incidents/schema.ts";
import { severityKinds } from "./incident-looks.ts";

/** How bad it is while it lasts, and then that it is over. */
export function IncidentStatus({
  incident: { state, severity },
}: {
  incident: Pick<Incident, "state" | "severity">;
}) {
  return state === "Resolved" ? (
    <Status kind="ok">Resolved</Status>
  ) : (
    <Status kind={severityKinds[severity]}>{severity}</Status>
  );
}
