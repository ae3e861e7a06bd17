"use client";
import { AnomalyLine } from "@/components/anomalies/anomaly-line.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { formatNumber } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import type { Anomaly } from "@/server/subscriptions/schema.ts";

const shown = 5;

/** A subscription's latest anomalies, each with its reason. */
export function SubscriptionAnomalies({
  subscriptionId,
  anomalies,
  totalCount,
}: {
  subscriptionId: number;
  /** Newest first. */
  anomalies: readonly Anomaly[];
  totalCount: number;
}) {
  const { href } = useProject();
  if (totalCount === 0) return null;
  return (
    <section aria-labelledby="anomalies" className="flex min-w-0 flex-col gap-1">
      <h2 id="anomalies" className="text-sm font-semibold">
        Anomalies <span className="font-normal text-ink-3 tabular-nums">{formatNumber(totalCount)}</span>
      </h2>
      <ul className="flex flex-col divide-y border-y">
        {anomalies.slice(0, shown).map((anomaly) => (
          <AnomalyLine key={anomaly.id} anomaly={anomaly} />
        ))}
      </ul>
      {totalCount > shown && (
        <Link
          href={href(`/anomalies?subscription=${subscriptionId}`)}
          className="self-start text-accent hover:underline"
        >
          All {formatNumber(totalCount)} anomalies
        </Link>
      )}
    </section>
  );
}
