import { Status } from "@/components/ui/status.tsx";
import type { Actor } from "@/server/actors/schema.ts";
import { phaseWords } from "./phase-steps.ts";

/** What an actor is doing, in one line; nothing while it is idle. */
export function ActorDoing({ actor: { currentExecution } }: { actor: Pick<Actor, "currentExecution"> }) {
  if (!currentExecution) return null;
  const { phase } = currentExecution;
  return (
    <span title={`It ${phaseWords[phase]}`}>
      <Status kind="running" className="text-xs [&_svg]:size-3.5">
        {phase}…
      </Status>
    </span>
  );
}
