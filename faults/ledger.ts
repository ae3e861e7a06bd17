/**
 * What was asked of the service, and what it answered: what was answered with success must have happened exactly once,
 * what was refused must not have happened, and of what was never answered nobody knows, but twice is wrong as well.
 */
export type Asked =
  | { kind: "evaluate"; contractId: number }
  | { kind: "execute"; subscriptionId: number }
  | { kind: "think"; actorId: number }
  | { kind: "createActor"; name: string }
  | { kind: "decidePlan"; planId: number; decision: PlanDecision }
  | { kind: "editQuery"; queryId: number; edit: number }
  | { kind: "decideChange"; approvalId: number; decision: ChangeDecision };

export type PlanDecision = "approve" | "reject" | "request-revision";
export type ChangeDecision = "approve" | "reject";

export type Outcome = "done" | "refused" | "unknown";

/** `id` is what the answer names: an evaluation, an execution, a think cycle. */
export type Entry = Asked & { outcome: Outcome; id: number | null };

export class Ledger {
  readonly entries: Entry[] = [];

  add(entry: Entry): void {
    this.entries.push(entry);
  }

  of<Kind extends Asked["kind"]>(kind: Kind): Extract<Entry, { kind: Kind }>[] {
    return this.entries.filter((entry): entry is Extract<Entry, { kind: Kind }> => entry.kind === kind);
  }

  count(outcome: Outcome): number {
    return this.entries.filter((entry) => entry.outcome === outcome).length;
  }
}
