/**
 * Which actions of a plan need which: approving some of them takes what they need along, or is refused. Pure; the
 * browser uses it too.
 */

/** What tells an action's needs: what it creates, and what it builds on. */
type Linked = { index: number } & (
  | { kind: "CreateQuery"; name: string }
  | { kind: "CreateSubscription"; queryId: number | null; queryName: string | null }
  | {
      kind:
        | "RefineQuery"
        | "ArchiveQuery"
        | "ArchiveSubscription"
        | "SendNotification"
        | "CreateContract"
        | "AddRules";
    }
);

/** The index of the action that this one needs: a subscription to a new query needs the query. */
export function needOf(actions: readonly Linked[], action: Linked): number | null {
  if (action.kind !== "CreateSubscription" || action.queryId !== null || action.queryName === null)
    return null;
  const wanted = action.queryName.trim();
  const creates = actions.findLast(
    (each) => each.kind === "CreateQuery" && each.index < action.index && each.name.trim() === wanted,
  );
  return creates?.index ?? null;
}

/** These actions and all that need one of them: what cannot run without them. */
export function withDependents(actions: readonly Linked[], indexes: ReadonlySet<number>): Set<number> {
  return new Set(
    actions.flatMap((action) => {
      const need = needOf(actions, action);
      return indexes.has(action.index) || (need !== null && indexes.has(need)) ? action.index : [];
    }),
  );
}

/** These actions and all that they need. */
export function withNeeds(actions: readonly Linked[], indexes: ReadonlySet<number>): Set<number> {
  const needs = actions.flatMap((action) =>
    indexes.has(action.index) ? (needOf(actions, action) ?? []) : [],
  );
  return new Set([...indexes, ...needs]);
}
