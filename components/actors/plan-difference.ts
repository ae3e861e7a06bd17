import type { Action, Plan } from "@/server/actors/schema.ts";

/** One changed field of an action. */
export type FieldChange = { field: string; before: string; after: string };

export type ActionChange =
  | { change: "added"; action: Action }
  | { change: "removed"; former: Action }
  | { change: "same"; action: Action; former: Action }
  | { change: "changed"; action: Action; former: Action; fields: FieldChange[] };

export type PlanDifference = {
  /** Keyed by the index of the plan's action. */
  byIndex: ReadonlyMap<number, ActionChange>;
  removed: Extract<ActionChange, { change: "removed" }>[];
  counts: { added: number; removed: number; changed: number; same: number };
  findings: { added: string[]; removed: string[] };
  isAnalysisChanged: boolean;
};

type Proposed = Pick<Plan, "actions" | "analysis" | "keyFindings">;

/**
 * How a plan differs from the previous version. Actions match if they have the same subject, whatever their
 * position: a query with the same name, a schedule for the same query, and so on.
 */
export function planDifference(former: Proposed, plan: Proposed): PlanDifference {
  const left = [...former.actions];
  const take = (isIt: (each: Action) => boolean): Action | undefined => {
    const place = left.findIndex(isIt);
    return place < 0 ? undefined : left.splice(place, 1)[0];
  };
  const matched = new Map<number, Action>();
  // Match unchanged actions first, so that of two similar actions the changed one gets the remaining match.
  for (const action of plan.actions) {
    const same = take(
      (each) => subjectOf(each) === subjectOf(action) && changesOf(each, action).length === 0,
    );
    if (same) matched.set(action.index, same);
  }
  for (const action of plan.actions) {
    if (matched.has(action.index)) continue;
    const changed = take((each) => subjectOf(each) === subjectOf(action));
    if (changed) matched.set(action.index, changed);
  }
  const changes = plan.actions.map((action): ActionChange => {
    const before = matched.get(action.index);
    if (!before) return { change: "added", action };
    const fields = changesOf(before, action);
    return fields.length === 0
      ? { change: "same", action, former: before }
      : { change: "changed", action, former: before, fields };
  });
  const count = (kind: ActionChange["change"]) => changes.filter(({ change }) => change === kind).length;
  return {
    byIndex: new Map(plan.actions.map(({ index }, place) => [index, changes[place] as ActionChange])),
    removed: left.map((each) => ({ change: "removed", former: each })),
    counts: { added: count("added"), removed: left.length, changed: count("changed"), same: count("same") },
    findings: {
      added: plan.keyFindings.filter((each) => !former.keyFindings.includes(each)),
      removed: former.keyFindings.filter((each) => !plan.keyFindings.includes(each)),
    },
    isAnalysisChanged: former.analysis.trim() !== plan.analysis.trim(),
  };
}

/** What an action is about: two actions with the same subject are versions of each other. */
function subjectOf(action: Action): string {
  const named = (name: string | null) => name?.trim().toLowerCase();
  switch (action.kind) {
    case "CreateQuery":
      return `create query ${named(action.name)}`;
    case "CreateSubscription":
      return `subscribe to ${action.queryId ?? named(action.queryName)}`;
    case "ArchiveSubscription":
      return `archive subscription ${action.subscriptionId}`;
    case "CreateContract":
      return `contract ${named(action.name)}`;
    case "AddRules":
      return `rules of contract ${action.contractId}`;
    case "SendNotification":
      // A message may be completely rewritten.
      return "send";
    default:
      return `${action.kind} ${action.queryId}`;
  }
}

/** The fields to compare; reworded reasoning doesn't count as a change. */
function factsOf(action: Action): [field: string, value: string][] {
  switch (action.kind) {
    case "CreateQuery":
      return [
        ["Name", action.name],
        ["Description", action.description],
        ["SQL", action.sql],
      ];
    case "CreateSubscription":
      return [
        ["Schedule", action.cronExpression],
        ["Time zone", action.timezone],
      ];
    case "RefineQuery":
      return [["SQL", action.proposedSql]];
    case "SendNotification":
      return [
        ["Severity", action.severity],
        ["Subject", action.subject],
        ["Message", action.body],
      ];
    case "CreateContract":
      return [
        ["Table", `${action.schemaName}.${action.tableName}`],
        ["Schedule", action.cronExpression],
        ["Time zone", action.timezone],
        ...rulesIn(action),
      ];
    case "AddRules":
      return rulesIn(action);
    default:
      return [];
  }
}

type WithRules = Extract<Action, { rules: unknown }>;
const rulesIn = ({ rules }: WithRules): [string, string][] =>
  rules.map(({ name, sentence }) => [`Rule ${name}`, sentence]);

function changesOf(former: Action, action: Action): FieldChange[] {
  const before = new Map(factsOf(former));
  return factsOf(action).flatMap(([field, after]) => {
    const was = before.get(field) ?? "";
    return was.trim() === after.trim() ? [] : [{ field, before: was, after }];
  });
}
