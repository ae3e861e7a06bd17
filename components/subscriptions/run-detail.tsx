import { Why } from "@/components/causes/why.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { formatDuration } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import type { Anomaly, Execution, Subscription } from "@/server/subscriptions/schema.ts";
import { Outcome } from "./outcome.tsx";
import { hintedLooks, lookNameOf, outcomeLooks } from "./outcome-looks.ts";
import { type PlottedMetric, plottedWords } from "./plotted-metric.ts";
import { RunRows } from "./run-rows.tsx";

/** Where the chart goes on Enter. */
export const runDetailId = "run";

/** Whether it failed, found rows that it looks for, or is unusual. */
const isWorthAsking = ({ outcome: { run, found } }: Execution, anomaly: Anomaly | undefined): boolean =>
  anomaly !== undefined || run === "CouldNotRun" || run === "TimedOut" || found?.verdict === "Found";

/** The selected run: result, error, and anomalies in words, and the rows that it found. */
export function RunDetail({
  run,
  plotted,
  anomaly,
  isLatest,
  subscription,
}: {
  run: Execution;
  /** The plotted metric, and this run's index in it. */
  plotted: PlottedMetric & { at: number };
  anomaly: Anomaly | undefined;
  isLatest: boolean;
  subscription: Pick<Subscription, "id" | "queryId" | "title">;
}) {
  const { outcome, executedAt, executionTimeMs, errorMessage, trigger, queryVersion } = run;
  const { href } = useProject();
  const name = lookNameOf(outcome);
  const isHinted = hintedLooks.some((hinted) => hinted === name);
  const point = plotted.runs[plotted.at];
  const value = plotted.metric === "RowCount" || !point ? null : plottedWords(plotted, point);
  return (
    <section
      id={runDetailId}
      tabIndex={-1}
      aria-label={isLatest ? "Latest run" : "Chosen run"}
      className="row-focus flex min-w-0 flex-col gap-3 border-y py-2 outline-none"
    >
      <div className="flex flex-col gap-1" aria-live="polite">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-ink-3">{isLatest ? "Latest run" : "Chosen run"}</span>
          <Outcome outcome={outcome} />
          {outcome.told.recipients > 0 && (
            <Link href={href(`/notifications?execution=${run.id}`)} className="text-accent hover:underline">
              What was sent
            </Link>
          )}
          {value !== null && <span className="font-medium">{value}</span>}
          <Moment at={executedAt} exact className="text-ink-2" />
          <span className="text-ink-3">
            {trigger === "Manual" ? "manually" : "on schedule"}
            {executionTimeMs !== null && `, took ${formatDuration(executionTimeMs)}`}, version {queryVersion}
          </span>
        </p>
        {isHinted && <p className="text-xs text-ink-3">{outcomeLooks[name].hint}</p>}
        {errorMessage && (
          <pre className="max-h-40 overflow-y-auto font-mono text-xs leading-5 break-words whitespace-pre-wrap text-critical">
            {errorMessage}
          </pre>
        )}
        {anomaly && <p className="text-warning">Unusual: {anomaly.explanation}.</p>}
      </div>
      {isLatest && isWorthAsking(run, anomaly) && (
        <Why of={anomaly ? { anomalyId: anomaly.id } : { subscriptionId: subscription.id }} />
      )}
      <RunRows key={run.id} run={run} subscription={subscription} />
    </section>
  );
}
