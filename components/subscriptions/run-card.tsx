/** The exact values of one run, next to its column in the chart. */
import { ChartCard } from "@/components/ui/chart.tsx";
import { formatDuration, formatExact } from "@/components/ui/format.ts";
import { useZone } from "@/components/ui/zone.tsx";
import type { Anomaly, Execution } from "@/server/subscriptions/schema.ts";
import type { IncidentSpan } from "./chart-marks.ts";
import { incidentWords } from "./incident-words.ts";
import { Outcome } from "./outcome.tsx";

const cardWidth = 248;

export function RunCard({
  run: { outcome, executedAt, executionTimeMs, trigger, errorMessage, queryVersion },
  value,
  anomaly,
  incidents,
  left,
  within,
}: {
  run: Execution;
  /** The plotted value, if it isn't the row count. */
  value: string | null;
  anomaly: Anomaly | undefined;
  /** Those that it was part of. */
  incidents: readonly IncidentSpan[];
  /** The column's position, and the width to stay within. */
  left: number;
  within: number;
}) {
  const zone = useZone();
  return (
    <ChartCard left={left} within={within} width={cardWidth}>
      <Outcome outcome={outcome} className="text-sm" />
      {value !== null && <span className="tabular-nums">{value}</span>}
      {errorMessage && <span className="line-clamp-3 break-words text-ink-2">{errorMessage}</span>}
      {anomaly && <span className="line-clamp-3 text-warning">{anomaly.explanation}</span>}
      {incidents.map(({ kind, from }) => (
        <span key={`${kind} ${from}`} className="text-critical">
          Incident: {incidentWords[kind].word.toLowerCase()}
        </span>
      ))}
      <span className="text-ink-3">{formatExact(new Date(executedAt), zone)}</span>
      <span className="text-ink-3">
        {trigger === "Manual" ? "manually" : "on schedule"}
        {executionTimeMs !== null && `, took ${formatDuration(executionTimeMs)}`}, version {queryVersion}
      </span>
    </ChartCard>
  );
}
