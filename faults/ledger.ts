/**
 * What was requested from the service, and its response: a successful request must have happened exactly once, and a
 * rejected one must not have happened. An unanswered one may or may not have happened, but not twice.
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

export type Outcome = "done" | "rejected" | "unknown";

/** `id` is the id in the response: of an evaluation, an execution, or a think cycle. */
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
