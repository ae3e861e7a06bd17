"use client";
import { useState } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { drawnExecutions } from "@/components/subscriptions/execution-page-size.ts";
import { OutcomeLegend } from "@/components/subscriptions/outcome-legend.tsx";
import { plottedMetric } from "@/components/subscriptions/plotted-metric.ts";
import { RunDetail } from "@/components/subscriptions/run-detail.tsx";
import { RunHistory } from "@/components/subscriptions/run-history.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";

/** The latest results of the task's subscription. */
export function TaskRuns({ subscriptionId }: { subscriptionId: number }) {
  const { href } = useProject();
  const [chosen, setChosen] = useState<number | null>(null);
  const subscription = trpc.subscriptions.get.useQuery({ id: subscriptionId }, { refetchInterval: 30_000 });
  const runs = trpc.subscriptions.executions.useQuery(
    { id: subscriptionId, pageSize: drawnExecutions },
    { refetchInterval: 30_000 },
  );
  const anomalies = trpc.anomalies.list.useQuery({ subscriptionId });
  const incidents = trpc.subscriptions.incidents.useQuery({ id: subscriptionId });
  const error = subscription.error ?? runs.error;
  if (error) {
    const { code, message, requestId } = factsOf(error);
    if (code === "NOT_FOUND")
      return <p className="border-y py-4 text-ink-2">The subscription that opened it is archived.</p>;
    return (
      <ErrorState
        message={message}
        requestId={requestId}
        onRetry={() => void Promise.all([subscription.refetch(), runs.refetch()])}
      />
    );
  }
  if (!subscription.data || !runs.data) return <Skeleton className="h-48 w-full" />;
  const { items } = runs.data;
  const [latest] = items;
  const selected = items.find(({ id }) => id === chosen) ?? latest;
  const found = anomalies.data?.items ?? [];
  const plotted = plottedMetric(subscription.data, items, found);
  return (
    <section aria-labelledby="runs" className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="runs" className="text-sm font-semibold">
          <Link href={href(`/subscriptions/${subscriptionId}`)} className="hover:underline">
            What the subscription found
          </Link>
        </h2>
        <OutcomeLegend outcomes={items.map(({ outcome }) => outcome)} plotted={plotted} />
      </div>
      {latest && selected ? (
        <>
          <RunHistory
            executions={items}
            anomalies={found}
            incidents={incidents.data?.items ?? []}
            plotted={plotted}
            selectedId={selected.id}
            onSelect={(id) => setChosen(id === latest.id ? null : id)}
          />
          <RunDetail
            run={selected}
            plotted={{ ...plotted, at: items.indexOf(selected) }}
            anomaly={found.find(({ executionId }) => executionId === selected.id)}
            isLatest={selected.id === latest.id}
            subscription={subscription.data}
          />
        </>
      ) : (
        <p className="text-ink-2">It has not run yet.</p>
      )}
    </section>
  );
}
