import { cn } from "@/components/ui/class-names.ts";
import { formatCount, formatDuration, formatNumber } from "@/components/ui/format.ts";
import { CircleDashed } from "@/components/ui/icons.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Evidence } from "@/server/actors/schema.ts";
import { evidenceGates } from "./evidence-gates.ts";
import { EvidenceRows } from "./evidence-rows.tsx";

/** The evidence for a proposed SQL statement: the gates it went through, its estimated cost, and the rows it finds. */
export function ActionEvidence({ evidence, of }: { evidence: Evidence; of: string }) {
  const { estimatedCost, estimatedRows, executionTimeMs, valid } = evidence;
  const figures = [
    estimatedCost !== undefined && {
      label: "Estimated cost",
      value: formatCount(estimatedCost),
      title: `${formatNumber(estimatedCost, 2)} in the engine's own units`,
    },
    estimatedRows !== undefined && {
      label: "Estimated rows",
      value: formatCount(estimatedRows),
      title: formatNumber(estimatedRows),
    },
    executionTimeMs !== undefined && {
      label: "Took",
      value: formatDuration(executionTimeMs),
      title: `${formatNumber(executionTimeMs)} ms with a small limit of rows`,
    },
  ].filter((figure) => figure !== false);
  return (
    <section aria-label="Evidence" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-col gap-3">
        <ul aria-label="Gates" className="flex min-w-0 flex-wrap gap-x-5 gap-y-1">
          {evidenceGates(evidence).map(({ gate, label, error, isReached }) => (
            <li key={gate} className={cn("flex items-start gap-1.5", error !== null && "w-full")}>
              {error !== null ? (
                <StatusIcon kind="critical" className="mt-0.5" />
              ) : isReached ? (
                <StatusIcon kind="ok" className="mt-0.5" />
              ) : (
                <CircleDashed aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
              )}
              <span className="min-w-0">
                <span className={isReached ? undefined : "text-ink-3"}>{label}</span>
                <span className="sr-only">
                  {error !== null ? ": refused" : isReached ? ": passed" : ": not reached"}
                </span>
                {error !== null && (
                  <span className="block font-mono text-xs break-words whitespace-pre-wrap text-critical">
                    {error}
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
        {figures.length > 0 && (
          <dl className="flex flex-wrap gap-x-8 gap-y-2">
            {figures.map(({ label, value, title }) => (
              <div key={label} title={title}>
                <dt className="text-xs text-ink-3">{label}</dt>
                <dd className="text-base font-semibold tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {valid && evidence.rows !== undefined && <EvidenceRows evidence={evidence} of={of} />}
    </section>
  );
}
