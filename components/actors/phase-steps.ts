import type { ActorExecution } from "@/server/actors/schema.ts";
import type { Phase } from "@/server/actors/states.ts";

export const cyclePhases = ["Analyzing", "Planning", "Executing", "Notifying", "Completed"] as const;
const runPhases = ["Executing", "Notifying", "Completed"] as const;

/** What an actor does in a phase, for those who wait for it. */
export const phaseWords: Record<Phase, string> = {
  Analyzing: "reads the schema, its queries and their latest results",
  Planning: "thinks about what to do",
  Executing: "applies what is to be done",
  Notifying: "tells people what matters",
  Completed: "is done",
  Failed: "has failed",
};

export type PhaseStep = {
  phase: (typeof cyclePhases)[number];
  state: "done" | "current" | "failed" | "ahead";
  /** When it was entered; null while it was not, or that is not known. */
  at: string | null;
};

type Course = Pick<ActorExecution, "kind" | "phase"> & Partial<Pick<ActorExecution, "phaseTimes">>;

/** The phases in their order, each with how far it is. A failure stands in the phase that it ended. */
export function phaseSteps({ kind, phase, phaseTimes = [] }: Course): PhaseStep[] {
  const order: readonly PhaseStep["phase"][] = kind === "PlanRun" ? runPhases : cyclePhases;
  const at = (each: Phase) => phaseTimes.findLast((entered) => entered.phase === each)?.at ?? null;
  const reached =
    phase === "Failed"
      ? Math.max(
          0,
          order.findLastIndex((each) => at(each) !== null),
        )
      : order.indexOf(phase as PhaseStep["phase"]);
  return order.map((each, place) => ({
    phase: each,
    at: at(each),
    state:
      place < reached || phase === "Completed"
        ? "done"
        : place > reached
          ? "ahead"
          : phase === "Failed"
            ? "failed"
            : "current",
  }));
}
