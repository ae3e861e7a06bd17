import { Count } from "@/components/ui/count.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import type { Task } from "@/server/tasks/schema.ts";

/** What the latest run found: a subscription's rows, or a contract's score. */
export function FoundFigure({ task: { latestScore, latestRowCount } }: { task: Task }) {
  if (latestScore === null) return <Count value={latestRowCount} />;
  return (
    <span className="whitespace-nowrap">
      <span className="text-xs text-ink-3">score</span> {formatNumber(latestScore, 2)}
    </span>
  );
}
