import type { ActorExecution } from "@/server/actors/schema.ts";
import type { Phase } from "@/server/actors/states.ts";

export const cyclePhases = ["Analyzing", "Planning", "Executing", "Notifying", "Completed"] as const;
const runPhases = ["Executing", "Notifying", "Completed"] as const;

/** What an actor does in each phase, as shown to people waiting for it. */
export const phaseWords: Record<Phase, string> = {
  Analyzing: "reads the schema, its queries and their latest results",
  Planning: "thinks about what to do",
  Executing: "applies the actions",
  Notifying: "notifies people",
  Completed: "is done",
  Failed: "has failed",
};

export type PhaseStep = {
  phase: (typeof cyclePhases)[number];
  state: "done" | "current" | "failed" | "ahead";
  /** When the phase started; null if it didn't, or if that is unknown. */
  at: string | null;
};

type Course = Pick<ActorExecution, "kind" | "phase"> & Partial<Pick<ActorExecution, "phaseTimes">>;

/** The phases in order, each with its progress. A failure is marked on the phase it ended. */
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
