"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { countFigure, healthFigures } from "@/components/control-tower/health-figures.ts";
import { healthLooks } from "@/components/control-tower/health-looks.ts";
import { formatRate } from "@/components/control-tower/success-rate.ts";
import { GettingStartedChecklist } from "@/components/getting-started/checklist.tsx";
import { useGuide } from "@/components/getting-started/use-guide.ts";
import { IncidentSummary } from "@/components/incidents/incident-summary.tsx";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { OutcomeGuide } from "@/components/subscriptions/outcome-guide.tsx";
import { TourOffer } from "@/components/tour/tour-offer.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Figure, Figures } from "@/components/ui/figure.tsx";
import { FilterSelect } from "@/components/ui/filter-select.tsx";
import { formatClock, formatExact, formatNumber, plural } from "@/components/ui/format.ts";
import { CircleCheck, Hourglass } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { actionsColumn, type Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { useZone } from "@/components/ui/zone.tsx";
import {
  attentionInput,
  attentionParameters,
  kinds,
  kindWords,
  statisticsInput,
} from "./attention-filter.ts";
import { AttentionRow } from "./attention-row.tsx";

/** What needs a person now, worst first, and Control Tower's figures below. */
export function HomePage() {
  const project = useProjectInput();
  const { href } = useProject();
  const list = useListFilters(attentionParameters, (filters) => attentionInput(project, filters));
  const [page] = trpc.needsAttention.list.useSuspenseQuery(list.input, { refetchInterval: 30_000 });
  const [count] = trpc.needsAttention.count.useSuspenseQuery(project, { refetchInterval: 30_000 });
  const [projects] = trpc.projects.list.useSuspenseQuery(undefined, { staleTime: 60_000 });
  const showProject = project.projectId === undefined && projects.items.length > 1;
  const columns: Columns = [
    { title: "State", from: "sm" },
    { title: "What, and why", wide: true },
    { title: "Since", from: "sm" },
    { title: "Owner", from: "lg" },
    showProject && { title: "Project", from: "xl" },
    actionsColumn("sm"),
  ];
  const hrefOf = ({ path }: { path: string }) => href(path);
  return (
    <>
      <ListPage
        title="Home"
        label="Needs attention"
        things="items"
        columns={columns}
        rows={page.items}
        page={page}
        list={list}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        hrefOf={hrefOf}
        count={count.total === 1 ? "1 needs attention" : `${formatNumber(count.total)} need attention`}
        filters={
          <FilterSelect
            label="Kind"
            any="Everything"
            className="w-full sm:w-48"
            value={list.filters.kind}
            onChange={(kind) => list.set({ kind })}
            options={kinds.flatMap((kind) => {
              const items = count.byKind[kind];
              if (items === 0 && list.filters.kind !== kind) return [];
              return [{ value: kind, label: `${kindWords[kind]} (${formatNumber(items)})` }];
            })}
          />
        }
        actions={<OutcomeGuide />}
        notices={
          <>
            <TourOffer />
            <GettingStartedChecklist />
            <div className="pb-3 empty:hidden">
              <IncidentSummary days={30} onlyCurrent />
            </div>
          </>
        }
        empty={useAllClear()}
      >
        {(item, row) => <AttentionRow item={item} href={hrefOf(item)} showProject={showProject} {...row} />}
      </ListPage>
      <TowerFigures />
    </>
  );
}

/** For an empty list: all clear, or nothing is watched yet. */
function useAllClear() {
  const { href } = useProject();
  const mayStart = useMay("contracts:configure");
  const guide = useGuide();
  const isGuided = !guide.isOver && !guide.isDismissed;
  const [{ since, lastCheckAt }] = trpc.needsAttention.allClear.useSuspenseQuery(useProjectInput(), {
    refetchInterval: 30_000,
  });
  if (lastCheckAt === null)
    return {
      icon: Hourglass,
      title: "Nothing has been checked yet",
      children:
        "What needs a person is listed here, worst first: failed runs, rows found, findings, and tasks.",
      action: mayStart ? (
        // The checklist above leads there, too.
        isGuided || <ButtonLink href={href("/getting-started")}>Getting started</ButtonLink>
      ) : (
        <ButtonLink href={href("/catalog")}>Catalog</ButtonLink>
      ),
    };
  return {
    icon: CircleCheck,
    title: (
      <span className="text-ok">
        All clear
        {since && (
          <>
            {" "}
            since <ClockTime at={since} />
          </>
        )}
      </span>
    ),
    children: (
      <>
        Nothing needs attention. The last check ran <Moment at={lastCheckAt} />.
      </>
    ),
  };
}

/** "03:10", or with the date unless it is today. */
function ClockTime({ at }: { at: string }) {
  const now = useNow();
  const zone = useZone();
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatExact(moment, zone)} suppressHydrationWarning>
      {formatClock(moment, new Date(now ?? Date.now()), zone)}
    </time>
  );
}

/** Each figure leads to its rows in Control Tower. */
function TowerFigures() {
  const { href } = useProject();
  const [statistics] = trpc.controlTower.statistics.useSuspenseQuery(statisticsInput(useProjectInput()), {
    refetchInterval: 30_000,
  });
  if (statistics.totalSubscriptions === 0) return null;
  return (
    <section aria-labelledby="tower" className="flex flex-col gap-2 pt-6">
      <h2 id="tower" className="text-sm font-semibold">
        <Link href={href("/control-tower")} className="hover:underline">
          Control Tower
        </Link>{" "}
        <span className="font-normal text-ink-3">last 30 days</span>
      </h2>
      <Figures className="grid-cols-3">
        <Figure
          label="Total"
          {...countFigure(statistics.totalSubscriptions)}
          detail={`${formatRate(statistics.overallSuccessRate)} ok`}
          href={href("/control-tower")}
        />
        {healthFigures.map(([status, figure]) => (
          <Figure
            key={status}
            label={<span title={healthLooks[status].hint}>{healthLooks[status].word}</span>}
            kind={healthLooks[status].kind}
            {...countFigure(statistics[figure])}
            detail=""
            href={href(`/control-tower?status=${status}`)}
          />
        ))}
        <Figure
          label="Open tasks"
          {...countFigure(statistics.totalUnresolvedTasks)}
          detail={plural(statistics.totalAnomalies30Days, "anomaly", "anomalies")}
          href={href("/control-tower?tasks=true")}
        />
      </Figures>
    </section>
  );
}
