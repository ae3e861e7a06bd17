"use client";
import { parseAsInteger, useQueryState } from "nuqs";
import { useEffect } from "react";
import { CurrentIncident } from "@/components/incidents/current-incident.tsx";
import { ManagedNotice } from "@/components/stacks/managed-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import { drawnExecutions } from "./execution-page-size.ts";
import { ExecutionsList } from "./executions-list.tsx";
import { Incidents } from "./incidents.tsx";
import { OutcomeLegend } from "./outcome-legend.tsx";
import { isUnderWay } from "./outcome-looks.ts";
import { plottedMetric } from "./plotted-metric.ts";
import { RunDetail } from "./run-detail.tsx";
import { RunHistory } from "./run-history.tsx";
import { RunProgress } from "./run-progress.tsx";
import { SubscriptionAnomalies } from "./subscription-anomalies.tsx";
import { SubscriptionFigures } from "./subscription-figures.tsx";
import { SubscriptionHeader } from "./subscription-header.tsx";
import { SubscriptionSide } from "./subscription-side.tsx";
import { toastRun } from "./toast-run.ts";
import { useExecutionRun } from "./use-execution-run.ts";

/** One subscription: does it work, and what did it find? */
export function SubscriptionPage({ id }: { id: number }) {
  const utils = trpc.useUtils();
  const [chosen, setChosen] = useQueryState("execution", parseAsInteger);
  const [subscription] = trpc.subscriptions.get.useSuspenseQuery(
    { id },
    {
      refetchInterval: ({ state: { data } }) =>
        data?.lastExecution && isUnderWay(data.lastExecution.outcome) ? 1_000 : 10_000,
    },
  );
  const [{ items: executions }] = trpc.subscriptions.executions.useSuspenseQuery({
    id,
    pageSize: drawnExecutions,
  });
  const [{ items: anomalies, totalCount: anomalyCount }] = trpc.anomalies.list.useSuspenseQuery({
    subscriptionId: id,
  });
  const [{ totalCount: unseenAnomalies }] = trpc.anomalies.list.useSuspenseQuery({
    subscriptionId: id,
    acknowledged: false,
    pageSize: 1,
  });
  const [{ items: openTasks }] = trpc.tasks.list.useSuspenseQuery({ subscriptionId: id, status: "Open" });
  const incidents =
    trpc.subscriptions.incidents.useQuery({ id }, { refetchInterval: 30_000 }).data?.items ?? [];
  const zone = useZone();
  const run = useExecutionRun(id, (execution) => {
    void setChosen(null);
    toastRun(execution, zone);
  });

  // The subscription is polled; a new or finished run also refreshes everything that shows it.
  const [latest] = executions;
  const known = subscription.lastExecution;
  const stateOf = ({ id, status, outcome: { told } }: NonNullable<typeof known>) =>
    `${id} ${status} ${told.state} ${told.sent}`;
  const news = known === null || (latest && stateOf(known) === stateOf(latest)) ? null : stateOf(known);
  useEffect(() => {
    if (news === null) return;
    void utils.subscriptions.executions.invalidate({ id });
    void utils.anomalies.invalidate();
    void utils.tasks.invalidate();
  }, [news, utils, id]);

  const plotted = plottedMetric(subscription, executions, anomalies);
  const selected = executions.find((each) => each.id === chosen) ?? latest;
  const select = (executionId: number) => void setChosen(executionId === latest?.id ? null : executionId);

  return (
    <>
      <SubscriptionHeader subscription={subscription} run={run} />
      <ManagedNotice kind="Subscription" id={subscription.id} />
      <CurrentIncident subscriptionId={subscription.id} />
      <Incidents incidents={subscription.incidents} />
      <RunProgress run={run} latest={latest} timeoutSeconds={subscription.timeoutSeconds} />
      <SubscriptionFigures
        subscription={subscription}
        executions={executions}
        openTask={openTasks[0]}
        unseenAnomalies={unseenAnomalies}
      />
      <div className="grid gap-x-8 gap-y-6 py-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {latest && selected ? (
            <section aria-labelledby="history" className="flex min-w-0 flex-col gap-2">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
                <h2 id="history" className="text-sm font-semibold">
                  {plotted.label}, and outcomes
                </h2>
                <OutcomeLegend outcomes={executions.map(({ outcome }) => outcome)} plotted={plotted} />
              </div>
              <RunHistory
                executions={executions}
                anomalies={anomalies}
                incidents={incidents}
                plotted={plotted}
                selectedId={selected.id}
                onSelect={select}
              />
              <RunDetail
                run={selected}
                plotted={{ ...plotted, at: executions.indexOf(selected) }}
                anomaly={anomalies.find(({ executionId }) => executionId === selected.id)}
                isLatest={selected.id === latest.id}
                subscription={subscription}
              />
            </section>
          ) : (
            <section className="flex flex-col gap-2 border-y py-8 text-ink-2">
              <h2 className="font-medium text-ink">It has not run yet</h2>
              <p className="max-w-prose">
                Each run is listed here with its outcome, the rows found, and its duration.{" "}
                {subscription.enabled
                  ? "It starts at the next scheduled run, or with “Run now”."
                  : "The schedule is off. Start with “Run now”."}
              </p>
            </section>
          )}
          <SubscriptionAnomalies subscriptionId={id} anomalies={anomalies} totalCount={anomalyCount} />
          {latest && <ExecutionsList subscriptionId={id} {...(chosen !== null && { selectedId: chosen })} />}
        </div>
        <SubscriptionSide subscription={subscription} />
      </div>
    </>
  );
}
