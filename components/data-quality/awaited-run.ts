import type { Contract } from "@/server/data-quality/schema.ts";
import { cronProblem, nextRuns } from "@/server/jobs/cron.ts";

type Scheduled = Pick<Contract, "enabled" | "cronExpression" | "timezone" | "updatedAt" | "lastEvaluatedAt">;

/** How long to wait for the result of a scheduled run; after that, its absence is no longer news. */
const maxWaitMs = 10 * 60_000;

/**
 * The scheduled run that is due and has no result yet, because it is waiting for the scheduler or being measured.
 * null if the latest scheduled time has a result or precedes the contract's last change.
 */
export function awaitedRun(contract: Scheduled, now: Date): Date | null {
  const { enabled, cronExpression, timezone, updatedAt, lastEvaluatedAt } = contract;
  if (!enabled || cronProblem(cronExpression) !== null) return null;
  const due = nextRuns(cronExpression, timezone, new Date(now.getTime() - maxWaitMs), 11)
    .filter((run) => run <= now)
    .at(-1);
  if (!due || new Date(updatedAt) >= due) return null;
  return lastEvaluatedAt !== null && new Date(lastEvaluatedAt) >= due ? null : due;
}
