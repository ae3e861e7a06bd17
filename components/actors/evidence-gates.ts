import type { Evidence } from "@/server/actors/schema.ts";

type Gate = Evidence["issues"][number]["gate"];

/** The gates in order; the same ones that SQL written by a person goes through. */
const gates = [
  { gate: "limits", label: "Within the size limits" },
  { gate: "parameters", label: "Parameters" },
  { gate: "read-only", label: "Only reads" },
  { gate: "engine", label: "Explained by the engine" },
  { gate: "run", label: "Ran" },
] as const satisfies readonly { gate: Gate; label: string }[];

export type PassedGate = {
  gate: Gate;
  label: string;
  /** The error found; null if the gate passed or was not reached. */
  error: string | null;
  isReached: boolean;
};

/** How far the SQL got: gates after the first failure were not tried. */
export function evidenceGates({ valid, issues }: Pick<Evidence, "valid" | "issues">): PassedGate[] {
  const refusals = gates.map(({ gate }) => issues.filter((issue) => issue.gate === gate));
  const first = refusals.findIndex((found) => found.length > 0);
  return gates.map(({ gate, label }, place) => {
    const found = refusals[place] ?? [];
    return {
      ...{ gate, label },
      error: found.length > 0 ? found.map(({ error }) => error).join(" ") : null,
      isReached: found.length > 0 || valid || (first >= 0 && place < first),
    };
  });
}
