import { type ExecutionStatus, executionStatuses } from "@/server/subscriptions/schema.ts";
import { outcomeLooks } from "./outcome.tsx";
import { OutcomeBar } from "./outcome-bar.tsx";

/** What the chart's bars and marks stand for; only of those that are in it. */
export function OutcomeLegend({
  statuses,
  hasAnomalies,
  threshold,
}: {
  statuses: readonly ExecutionStatus[];
  hasAnomalies: boolean;
  threshold: number | null;
}) {
  const present = executionStatuses.filter((status) => statuses.includes(status));
  return (
    <ul className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-3">
      {present.map((status) => (
        <li key={status} className="inline-flex items-center gap-1" title={outcomeLooks[status].hint}>
          <svg aria-hidden width={6} height={14}>
            <OutcomeBar status={status} x={0} width={6} bottom={14} height={14} />
          </svg>
          {outcomeLooks[status].word}
        </li>
      ))}
      {hasAnomalies && (
        <li className="inline-flex items-center gap-1">
          <svg aria-hidden width={14} height={14} className="text-warning">
            <circle cx={7} cy={7} r={6} fill="none" stroke="currentColor" strokeWidth={1.5} />
            <circle cx={7} cy={7} r={2.5} fill="var(--accent)" />
          </svg>
          Anomaly
        </li>
      )}
      {threshold !== null && (
        <li className="inline-flex items-center gap-1">
          <svg aria-hidden width={14} height={14}>
            <line x1={0} x2={14} y1={7} y2={7} stroke="var(--ink-3)" strokeDasharray="4 3" />
          </svg>
          Threshold
        </li>
      )}
    </ul>
  );
}
