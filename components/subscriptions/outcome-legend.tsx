import { OutcomeBar } from "./outcome-bar.tsx";
import { lookNameOf, type Outcome, outcomeLookNames, outcomeLooks } from "./outcome-looks.ts";
import type { PlottedMetric } from "./plotted-metric.ts";

/** The legend of the chart's bars and marks, limited to those shown. */
export function OutcomeLegend({
  outcomes,
  plotted: { runs, threshold },
}: {
  outcomes: readonly Outcome[];
  plotted: PlottedMetric;
}) {
  const names = new Set(outcomes.map(lookNameOf));
  const present = outcomeLookNames.filter((name) => names.has(name));
  return (
    <ul className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-3">
      {present.map((name) => (
        <li key={name} className="inline-flex items-center gap-1" title={outcomeLooks[name].hint}>
          <svg aria-hidden width={6} height={14}>
            <OutcomeBar look={outcomeLooks[name]} x={0} width={6} bottom={14} height={14} />
          </svg>
          {outcomeLooks[name].word}
        </li>
      ))}
      {runs.some(({ isUnusual }) => isUnusual) && (
        <li className="inline-flex items-center gap-1">
          <svg aria-hidden width={14} height={14} className="text-warning">
            <circle cx={7} cy={7} r={6} fill="none" stroke="currentColor" strokeWidth={1.5} />
            <circle cx={7} cy={7} r={2.5} fill="var(--accent)" />
          </svg>
          Anomaly
        </li>
      )}
      {runs.some(({ usual }) => usual !== null) && (
        <li className="inline-flex items-center gap-1" title="Usual range, from the runs before each run">
          <svg aria-hidden width={14} height={14}>
            <rect y={2} width={14} height={10} fill="var(--accent)" opacity={0.15} />
          </svg>
          Usual
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
