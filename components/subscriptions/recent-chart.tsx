"use client";
import { formatValue } from "@/components/anomalies/usual-range.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { plural } from "@/components/ui/format.ts";
import { Sparkline } from "@/components/ui/sparkline.tsx";
import type { RecentValues } from "@/server/subscriptions/schema.ts";

const refreshMs = 60_000;

/**
 * The judged numbers of the last runs of all subscriptions on a page, by subscription, in one request; again every
 * minute, unless the page refreshes them itself.
 */
export function useRecentValues(
  ids: readonly number[],
  { refreshes = true }: { refreshes?: boolean } = {},
): ReadonlyMap<number, RecentValues> {
  const { data } = trpc.subscriptions.recentValues.useQuery(
    { ids: ids.toSorted((a, b) => a - b) },
    {
      enabled: ids.length > 0,
      staleTime: refreshMs / 2,
      refetchInterval: refreshes ? refreshMs : false,
      placeholderData: (former) => former,
    },
  );
  return new Map(data?.items.map((each) => [each.subscriptionId, each]));
}

/** The shape of the last thirty runs, anomalies in the color of warnings; in words for those who cannot see it. */
export function RecentChart({ recent }: { recent: RecentValues | undefined }) {
  if (!recent?.values.some((value) => value !== null)) return <span className="text-ink-3">–</span>;
  const words = recentWords(recent);
  // The scale begins at zero, so that a line of zeros is at the bottom.
  const known = recent.values.filter((value) => value !== null);
  return (
    <span title={words} className="inline-block align-middle">
      <Sparkline
        values={recent.values}
        marked={recent.anomalies.flatMap((isAnomaly, index) => (isAnomaly ? [index] : []))}
        label={words}
        width={88}
        min={Math.min(0, ...known)}
        max={Math.max(0, ...known) || 1}
      />
    </span>
  );
}

/** "Rows in the last 30 runs: 3 to 50, last 22, 1 anomaly". */
export function recentWords({ metric, values, anomalies }: Omit<RecentValues, "subscriptionId">): string {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const last = values.at(-1);
  const unusual = anomalies.filter(Boolean).length;
  const parts = [
    low === high ? `always ${formatValue(low)}` : `${formatValue(low)} to ${formatValue(high)}`,
    last == null ? "none in the last one" : `last ${formatValue(last)}`,
    ...(unusual > 0 ? [plural(unusual, "anomaly", "anomalies")] : []),
  ];
  const what = metric === "RowCount" ? "Rows" : "Values";
  return `${what} in the last ${plural(values.length, "run")}: ${parts.join(", ")}`;
}
