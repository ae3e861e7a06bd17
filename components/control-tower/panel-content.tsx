"use client";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { AnomalyLine } from "@/components/anomalies/anomaly-line.tsx";
import { Schedule } from "@/components/cron/schedule.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { Incidents } from "@/components/subscriptions/incidents.tsx";
import { RunProgress } from "@/components/subscriptions/run-progress.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import type { HealthRow, SubscriptionDetail } from "@/server/control-tower/schema.ts";
import { type NoTasks as NoTasksOf, noTasks } from "./no-tasks.ts";
import { PanelActions } from "./panel-actions.tsx";
import { PanelTask } from "./panel-task.tsx";
import { RunList } from "./run-list.tsx";
import { RunStrip } from "./run-strip.tsx";
import { PanelSkeleton } from "./skeletons.tsx";
import { exactRate } from "./success-rate.ts";
import type { PanelData } from "./use-panel-data.ts";

// Loaded separately: rows are only read in it.
const RunRows = dynamic(
  () => import("@/components/subscriptions/run-rows.tsx").then((module) => module.RunRows),
  { ssr: false },
);

/** The API's limit for each list. */
const most = 20;

export function PanelContent({
  data: { id, detail, subscription, tasks, run },
  health,
  timeRangeDays,
}: {
  data: PanelData;
  health: HealthRow | undefined;
  timeRangeDays: number;
}) {
  const failure = detail.error ?? subscription.error ?? tasks.error;
  if (!detail.data || !subscription.data || !tasks.data) {
    if (!failure) return <PanelSkeleton />;
    const { code, message, requestId } = factsOf(failure);
    return (
      <ErrorState
        title={code === "NOT_FOUND" ? "Subscription not found" : "This could not be loaded"}
        message={
          code === "NOT_FOUND" ? "It may have been archived, or you may not have access to it." : message
        }
        requestId={requestId}
        pending={detail.isFetching || subscription.isFetching || tasks.isFetching}
        onRetry={() => void Promise.all([detail.refetch(), subscription.refetch(), tasks.refetch()])}
      />
    );
  }
  const { executions, anomalies, folderPath, cronExpression } = detail.data;
  const openTasks = tasks.data.items;
  /** The latest run with a result. */
  const evidenced = executions.find(({ outcome }) => outcome.found !== null);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-0.5 text-ink-2">
        <p className="text-xs text-ink-3">
          {folderPath !== null && <span className="pr-2">{folderPath}</span>}
          <Schedule expression={cronExpression} timezone={subscription.data.timezone} />
        </p>
        {health && (
          <p>
            {exactRate(health)} in {plural(timeRangeDays, "day")}.
          </p>
        )}
      </div>
      <div>
        <PanelActions subscription={subscription.data} run={run} />
        <div className="pt-3 empty:hidden [&>*]:mb-0!">
          <RunProgress run={run} latest={undefined} timeoutSeconds={subscription.data.timeoutSeconds} />
        </div>
        <div className="flex flex-col gap-2 pt-3 empty:hidden [&>*]:mb-0!">
          <Incidents incidents={subscription.data.incidents} />
        </div>
      </div>

      <Section title="Latest runs">
        {executions.length === 0 ? (
          <p className="text-ink-2">It has not run yet.</p>
        ) : (
          <>
            <RunStrip executions={executions} />
            <RunList subscriptionId={id} executions={executions} />
            {evidenced && (
              <div className="flex min-w-0 flex-col gap-1">
                <h4 className="text-xs font-semibold text-ink-2">
                  Found <Moment at={evidenced.executedAt} />
                </h4>
                <RunRows key={evidenced.id} run={evidenced} subscription={subscription.data} />
              </div>
            )}
            {executions.length === most && (
              <AllLink path={`/subscriptions/${id}`}>All runs of this subscription</AllLink>
            )}
          </>
        )}
      </Section>

      <Section title="Open tasks" count={openTasks.length}>
        {openTasks.length === 0 ? (
          <NoTasks
            {...noTasks(health?.status, executions, subscription.data)}
            id={id}
            queryId={subscription.data.queryId}
          />
        ) : (
          openTasks.map((task) => <PanelTask key={task.id} task={task} />)
        )}
      </Section>

      <AnomalySection id={id} anomalies={anomalies} timeRangeDays={timeRangeDays} />
    </div>
  );
}

/** Never reassures when something is wrong: says why, and links to the page where it can be fixed. */
function NoTasks({ words, next, id, queryId }: NoTasksOf & { id: number; queryId: number }) {
  return (
    <>
      <p className="text-ink-2">No open tasks. {words}</p>
      {next === "query" && <AllLink path={`/queries/${queryId}`}>Open the query</AllLink>}
      {next === "subscription" && <AllLink path={`/subscriptions/${id}`}>Open the subscription</AllLink>}
      {next === "deliveries" && <AllLink path="/notifications?failing=true">Failing deliveries</AllLink>}
    </>
  );
}

function AnomalySection({
  id,
  anomalies,
  timeRangeDays,
}: {
  id: number;
  anomalies: SubscriptionDetail["anomalies"];
  timeRangeDays: number;
}) {
  return (
    <Section title={`Anomalies in ${plural(timeRangeDays, "day")}`} count={anomalies.length}>
      {anomalies.length === 0 ? (
        <p className="text-ink-2">Nothing unusual.</p>
      ) : (
        <ul className="flex flex-col divide-y border-y">
          {anomalies.map((anomaly) => (
            <AnomalyLine key={anomaly.id} anomaly={anomaly} />
          ))}
        </ul>
      )}
      {anomalies.length === most && (
        <AllLink path="/anomalies" subscriptionId={id}>
          All anomalies of this subscription
        </AllLink>
      )}
    </Section>
  );
}

function Section({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h3 className="text-sm font-semibold">
        {title}
        {count !== undefined && count > 0 && (
          <span className="pl-1.5 font-normal text-ink-3 tabular-nums">
            {count === most ? `the latest ${most}` : formatNumber(count)}
          </span>
        )}
      </h3>
      {children}
    </section>
  );
}

function AllLink({
  path,
  subscriptionId,
  children,
}: {
  path: string;
  subscriptionId?: number;
  children: ReactNode;
}) {
  const { href } = useProject();
  const address = href(path);
  const filter =
    subscriptionId === undefined ? "" : `${address.includes("?") ? "&" : "?"}subscription=${subscriptionId}`;
  return (
    <Link href={address + filter} className="self-start text-accent hover:underline">
      {children}
    </Link>
  );
}
