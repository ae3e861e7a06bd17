/**
 * The states of actors, plans, and think cycles, and the transitions between them. Unlisted transitions are impossible;
 * the services make each one by a write that names the old state, so the second of two racing transitions loses.
 */
export const actorStatuses = ["Draft", "Active", "Paused", "Failed", "Archived"] as const;
export type ActorStatus = (typeof actorStatuses)[number];

const actorMoves = {
  /** `resume` begins the initial setup if there was none; `setUp` is its end. */
  Draft: { resume: "Active", setUp: "Active", fail: "Failed", archive: "Archived" },
  Active: { pause: "Paused", fail: "Failed", archive: "Archived" },
  Paused: { resume: "Active", fail: "Failed", archive: "Archived" },
  Failed: { resume: "Active", archive: "Archived" },
  Archived: {},
} as const satisfies Record<ActorStatus, Partial<Record<string, ActorStatus>>>;

export type ActorEvent = "pause" | "resume" | "setUp" | "fail" | "archive";

/** null if the event is not possible in that status. */
export function actorStatusAfter(status: ActorStatus, event: ActorEvent): ActorStatus | null {
  return (actorMoves[status] as Partial<Record<ActorEvent, ActorStatus>>)[event] ?? null;
}

export const planStatuses = [
  "PendingApproval",
  "Executing",
  "Executed",
  "Rejected",
  "RevisionRequested",
  "Expired",
] as const;
export type PlanStatus = (typeof planStatuses)[number];

const planMoves = {
  PendingApproval: {
    approve: "Executing",
    reject: "Rejected",
    requestRevision: "RevisionRequested",
    expire: "Expired",
  },
  Executing: { finish: "Executed", fail: "Rejected" },
  Executed: {},
  Rejected: {},
  RevisionRequested: {},
  Expired: {},
} as const satisfies Record<PlanStatus, Partial<Record<string, PlanStatus>>>;

export type PlanEvent = "approve" | "reject" | "requestRevision" | "expire" | "finish" | "fail";

/** null if the event is not possible in that status. */
export function planStatusAfter(status: PlanStatus, event: PlanEvent): PlanStatus | null {
  return (planMoves[status] as Partial<Record<PlanEvent, PlanStatus>>)[event] ?? null;
}

/** In order; Failed may follow any but Completed. A plan that people approved begins at Executing. */
export const phases = ["Analyzing", "Planning", "Executing", "Notifying", "Completed", "Failed"] as const;
export type Phase = (typeof phases)[number];
export const isOver = (phase: Phase) => phase === "Completed" || phase === "Failed";

export const triggers = ["InitialSetup", "SubscriptionExecution", "UserInstruction"] as const;
export type Trigger = (typeof triggers)[number];

export const executionKinds = ["ThinkCycle", "PlanRun"] as const;
export const actionStatuses = ["Proposed", "Succeeded", "Failed", "Declined"] as const;
export type ActionStatus = (typeof actionStatuses)[number];
