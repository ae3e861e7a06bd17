import type { SQL } from "drizzle-orm";
import { problemIn } from "../../errors.ts";
import { loadActions } from "./load-plans.ts";
import { markFailed, type Run, runAction } from "./run-action.ts";

/**
 * Runs the remaining actions, one after another. One that cannot be done is marked with the reason, and the others run.
 * Returns how many have succeeded of those that were approved. Throws unexpected errors.
 */
export async function runActions(run: Run, which: SQL): Promise<{ succeeded: number; total: number }> {
  for (const action of await loadActions(which)) {
    if (action.status !== "Proposed") continue;
    try {
      await runAction(run, action);
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
    total: actions.filter(({ status }) => status !== "Declined").length,
  };
}
