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

/** Kinds of problems in which the check did not run, so that it says nothing about the data. */
export const blindKinds = [
  "Failing",
  "NotEvaluated",
  "Stalled",
  "CouldNotRun",
] as const satisfies readonly ProblemKind[];

export const isBlind = (kind: ProblemKind): boolean => blindKinds.some((blind) => blind === kind);
