"use client";
import dynamic from "next/dynamic";
import { usePathname, useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useEffect, useRef } from "react";
import { useFailingDeliveries } from "@/components/notifications/use-failing-deliveries.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { OutcomeGuide } from "@/components/subscriptions/outcome-guide.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import { RefreshClock } from "./refresh-clock.tsx";
import { PanelSkeleton, TowerSkeleton } from "./skeletons.tsx";
import { TowerCards } from "./tower-cards.tsx";
import { isIdentifier, panelParameter } from "./tower-filter.ts";
import { ClearFilters, TowerFilters } from "./tower-filters.tsx";
import { TowerTable } from "./tower-table.tsx";
import { useAutoRefresh, useRefresh } from "./use-refresh.ts";
import { type Tower, useTower } from "./use-tower.ts";

// Loaded only when opened.
const Panel = dynamic(() => import("./panel.tsx").then((module) => module.Panel), {
  ssr: false,
  loading: () => (
    <div className="hidden border-l pt-12 pl-6 lg:block">
      <PanelSkeleton />
    </div>
  ),
});

const NothingYet = dynamic(() => import("./nothing-yet.tsx").then((module) => module.NothingYet));

const IncidentSummary = dynamic(
  () => import("@/components/incidents/incident-summary.tsx").then((module) => module.IncidentSummary),
  { ssr: false },
);

/** The health of every subscription, worst first. */
export function TowerPage() {
  const tower = useTower();
  const { rows, statistics, failure } = tower;
  const refresh = useRefresh();
  useAutoRefresh(tower.askedAt, refresh);
  const panel = usePanel();
  const isEmpty = rows?.totalCount === 0 && !tower.isFiltered && !tower.isChanging;
  return (
    <div className="@container">
      <PageHeader
        title="Control Tower"
        count={!isEmpty && rows && plural(rows.totalCount, "subscription")}
        filters={!isEmpty && <TowerFilters tower={tower} />}
        actions={
          !isEmpty && (
            <>
              <ClearFilters tower={tower} />
              <OutcomeGuide />
              <RefreshClock
                updatedAt={tower.updatedAt}
                askedAt={tower.askedAt}
                isFetching={tower.isFetching}
                onRefresh={refresh}
              />
            </>
          )
        }
      />
      <p role="status" className="sr-only">
        {rows && !tower.isChanging && `${plural(rows.totalCount, "subscription")} shown`}
      </p>
      {failure && <Failure tower={tower} onRetry={refresh} />}
      <FailingDeliveries />
      {isEmpty ? (
        <NothingYet />
      ) : (
        <>
          {statistics && rows ? (
            <TowerCards
              statistics={statistics}
              whole={tower.whole}
              notRunYet={tower.notRunYet}
              tower={tower}
            />
          ) : (
            !failure && <TowerSkeleton />
          )}
          <div className="pt-4 empty:hidden">
            <IncidentSummary days={tower.filters.days} />
          </div>
          <div
            className={cn("grid gap-x-6 pt-4", panel.openId !== null && "lg:grid-cols-[minmax(0,1fr)_27rem]")}
          >
            {rows && (
              <div className="@container min-w-0">
                <TowerTable page={rows} tower={tower} {...panel} />
              </div>
            )}
            {panel.openId !== null && (
              <Panel
                key={panel.openId}
                subscriptionId={panel.openId}
                health={rows?.items.find(({ subscriptionId }) => subscriptionId === panel.openId)}
                timeRangeDays={tower.filters.days}
                onClose={panel.close}
              />
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** A notice about failing deliveries: health doesn't include them, since it counts runs. */
function FailingDeliveries() {
  const { href } = useProject();
  const count = useFailingDeliveries();
  if (count === 0) return null;
  return (
    <p className="flex items-center gap-2 pb-3 text-warning">
      <StatusIcon kind="warning" />
      <Link href={href("/notifications?failing=true")} className="underline underline-offset-2">
        {plural(count, "delivery is failing", "deliveries are failing")}
      </Link>
    </p>
  );
}

/** Which panel is open, in the URL; closing it returns focus to its row. */
function usePanel() {
  const [{ subscription }, set] = useQueryStates(panelParameter, { history: "push" });
  const pathname = usePathname();
  const parameters = useSearchParams();
  const openId = isIdentifier(subscription) ? subscription : null;
  const before = useRef(openId);
  useEffect(() => {
    const closed = before.current;
    before.current = openId;
    if (openId === null && closed !== null)
      document.querySelector<HTMLElement>(`[data-subscription="${closed}"]`)?.focus();
  }, [openId]);
  return {
    openId,
    hrefOf: (id: number) => {
      const address = new URLSearchParams(parameters);
      address.set("subscription", String(id));
      return `${pathname}?${address}`;
    },
    onOpen: (id: number) => void set({ subscription: id }),
    close: () => void set({ subscription: null }),
  };
}

/** An error notice; the previous data stays below. */
function Failure({
  tower: { rows, failure, isFetching, updatedAt },
  onRetry,
}: {
  tower: Tower;
  onRetry: () => void;
}) {
  const { message, requestId } = factsOf(failure);
  if (!rows)
    return <ErrorState message={message} requestId={requestId} pending={isFetching} onRetry={onRetry} />;
  return (
    <div
      role="alert"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-md border border-critical/50 bg-critical-soft px-3 py-2"
    >
      <StatusIcon kind="critical" />
      <span className="min-w-0 flex-1 break-words">
        {message} The data shown may be outdated
        {updatedAt > 0 && (
          <>
            , <Moment at={new Date(updatedAt)} />
          </>
        )}
        .{requestId && <span className="text-xs text-ink-2"> Request {requestId}</span>}
      </span>
      <Button size="sm" pending={isFetching} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
