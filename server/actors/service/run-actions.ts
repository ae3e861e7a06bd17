import type { SQL } from "drizzle-orm";
import { problemIn } from "../../errors.ts";
import type { ProposedAction } from "../proposal.ts";
import type { Action } from "../schema.ts";
import { loadActions } from "./load-plans.ts";
import { markFailed, type Run, runAction } from "./run-action.ts";

/**
 * Runs those of the actions that have not been run, one after another. One that cannot be done is marked with the
 * reason, and the others run. Answers how many of all have succeeded. Throws what nobody had foreseen.
 */
export async function runActions(run: Run, which: SQL): Promise<{ succeeded: number; total: number }> {
  for (const action of await loadActions(which)) {
    if (action.status !== "Proposed") continue;
    try {
      const result = await runAction(run, action);
      await run.ctx.record?.({
        action: `actors.run${action.proposed.kind}`,
        ...objectOf(action.proposed, result, run),
      });
    } catch (error) {
      const problem = problemIn(error);
      if (!problem) throw error;
      const [first] = problem.more.errors ?? [];
      await markFailed(run.lease, action, first ? `${first.path} ${first.message}` : problem.detail);
    }
  }
  const actions = await loadActions(which);
  return {
    succeeded: actions.filter(({ status }) => status === "Succeeded").length,
    total: actions.length,
  };
}

/** What the audit log names. */
function objectOf(proposed: ProposedAction, result: NonNullable<Action["result"]>, { actor }: Run) {
  switch (proposed.kind) {
    case "CreateQuery":
      return { objectKind: "query", objectId: result.queryId ?? null, detail: proposed.name };
    case "RefineQuery":
    case "ArchiveQuery":
      return { objectKind: "query", objectId: proposed.queryId };
    case "CreateSubscription":
      return { objectKind: "subscription", objectId: result.subscriptionId ?? null };
    case "ArchiveSubscription":
      return { objectKind: "subscription", objectId: proposed.subscriptionId };
    case "SendNotification":
      return { objectKind: "actor", objectId: actor.id, detail: proposed.subject };
  }
}
