import type { Contract } from "@/server/data-quality/schema.ts";
import { cronProblem, nextRuns } from "@/server/jobs/cron.ts";

type Scheduled = Pick<Contract, "enabled" | "cronExpression" | "timezone" | "updatedAt" | "lastEvaluatedAt">;

/** For so long the result of a scheduled run is waited for; after that its absence is no longer news. */
const patience = 10 * 60_000;

/**
 * The scheduled run that is due and has no result yet: it waits for the minute's tick, or is being measured.
 * null when the latest due time has been followed by a result, or lies before the contract's last change.
 */
export function awaitedRun(contract: Scheduled, now: Date): Date | null {
  const { enabled, cronExpression, timezone, updatedAt, lastEvaluatedAt } = contract;
  if (!enabled || cronProblem(cronExpression) !== null) return null;
  const due = nextRuns(cronExpression, timezone, new Date(now.getTime() - patience), 11)
    .filter((run) => run <= now)
    .at(-1);
  if (!due || new Date(updatedAt) >= due) return null;
  return lastEvaluatedAt !== null && new Date(lastEvaluatedAt) >= due ? null : due;
}
