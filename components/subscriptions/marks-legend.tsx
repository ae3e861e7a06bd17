/** The legend of what is marked above a chart of runs, limited to what is marked. */
export function MarksLegend({
  thing = "query",
  hasVersions,
  hasIncidents,
}: {
  /** What has versions. */
  thing?: string;
  hasVersions: boolean;
  hasIncidents: boolean;
}) {
  if (!hasVersions && !hasIncidents) return null;
  return (
    <ul className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-3">
      {hasIncidents && (
        <li className="inline-flex items-center gap-1">
          <svg aria-hidden width={14} height={14} className="text-critical">
            <rect y={5} width={14} height={4} rx={1} fill="currentColor" />
          </svg>
          Incident
        </li>
      )}
      {hasVersions && (
        <li className="inline-flex items-center gap-1">
          <svg aria-hidden width={14} height={14}>
            <line x1={7} x2={7} y1={0} y2={14} stroke="var(--ink-3)" strokeDasharray="1 2" />
          </svg>
          New version of the {thing}
        </li>
      )}
    </ul>
  );
}
