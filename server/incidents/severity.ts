import { type Severity, severities } from "./kinds.ts";
import type { ProblemKind } from "./schema.ts";

/** A check that does not run is blind to everything, so it is worse than anything a check has found. */
export const severityOf: Readonly<Record<ProblemKind, Severity>> = {
  Failing: "Critical",
  NotEvaluated: "Critical",
  Stalled: "Critical",
  CouldNotRun: "High",
  BelowThreshold: "High",
  Unusual: "Medium",
  Found: "Medium",
  Late: "Medium",
  Changed: "Low",
};

export const worstOf = (all: readonly Severity[]): Severity =>
  severities.find((severity) => all.includes(severity)) ?? "Low";

/** The check did not run, so it says nothing about the data. */
export const isBlind = (kind: ProblemKind): boolean =>
  kind === "Failing" || kind === "NotEvaluated" || kind === "Stalled" || kind === "CouldNotRun";
