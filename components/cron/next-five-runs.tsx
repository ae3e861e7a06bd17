"use client";
import { useCron } from "./late-cron.ts";
import { RunsSkeleton } from "./runs-skeleton.tsx";

/** The next five runs of a schedule beside its fields; nothing while it is not valid. */
export function NextFiveRuns({ expression, timezone }: { expression: string; timezone: string }) {
  const { part, hasFailed } = useCron(expression);
  if (part ? part.cronProblem(expression) !== null : hasFailed) return null;
  return (
    <div className="text-sm">
      <h3 className="pb-1 text-xs font-medium text-ink-2">Next five runs</h3>
      {part ? <part.NextRuns expression={expression} timezone={timezone} /> : <RunsSkeleton />}
    </div>
  );
}
