"use client";
import { useMe } from "@/components/auth/use-me.ts";
import { CurrentMaintenance } from "@/components/maintenance/current-maintenance.tsx";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { type Outputs, trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { FilterSelect } from "@/components/ui/filter-select.tsx";
import { formatDuration, formatNumber } from "@/components/ui/format.ts";
import { BellRing, CircleCheck, Wrench } from "@/components/ui/icons.tsx";
import type { Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { severities } from "@/server/incidents/kinds.ts";
import { incidentListInput, incidentParameters } from "./incident-filter.ts";
import { IncidentRow } from "./incident-row.tsx";

const columns: Columns = [
  { title: "Severity" },
  { title: "What happened" },
  { title: "Problems", from: "md" },
  { title: "Began", from: "md" },
  { title: "Lasted", from: "lg" },
  { title: "Assignee", from: "md" },
];

/** "4 in 30 days, noticed by someone after 12 min on average, over after 2 h." */
function figuresWords({
  opened,
  secondsToNotice,
  secondsToResolve,
}: Outputs["incidents"]["figures"]): string {
  const parts = [
    `${formatNumber(opened)} in 30 days`,
    secondsToNotice !== null &&
      `noticed by someone after ${formatDuration(secondsToNotice * 1000)} on average`,
    secondsToResolve !== null && `over after ${formatDuration(secondsToResolve * 1000)}`,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

/** Incidents that are not over, worst first; by a filter also those that are. */
export function IncidentList() {
  const { href } = useProject();
  const { user } = useMe();
  const project = useProjectInput();
  const list = useListFilters(incidentParameters, (filters) => incidentListInput(project, filters, user.id), {
    history: "replace",
  });
  const [page] = trpc.incidents.list.useSuspenseQuery(list.input, { refetchInterval: 30_000 });
  const [figures] = trpc.incidents.figures.useSuspenseQuery(project, { refetchInterval: 60_000 });
  const { show, severity, assignee, source, q } = list.filters;
  const sources = trpc.dataSources.list.useQuery(project, { staleTime: 60_000 });
  const hrefOf = ({ id }: { id: number }) => href(`/incidents/${id}`);
  return (
    <ListPage
      title="Incidents"
      things="incidents"
      columns={columns}
      rows={page.items}
      page={page}
      list={list}
      keepsFilters
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      notices={
        <>
          <CurrentMaintenance />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-3 text-ink-2">
            {figures.opened > 0 && <p className="min-w-0">{figuresWords(figures)}</p>}
            <span className="ml-auto flex gap-2">
              <ButtonLink size="sm" href={href("/incidents/policies")} icon={BellRing}>
                Policies
              </ButtonLink>
              <ButtonLink size="sm" href={href("/incidents/maintenance")} icon={Wrench}>
                Maintenance
              </ButtonLink>
            </span>
          </div>
        </>
      }
      filters={
        <>
          <FilterSelect
            label="State"
            any="Current"
            className="w-full sm:w-40"
            value={show === "current" ? null : show}
            onChange={(value) => list.set({ show: value ?? "current" })}
            options={[
              { value: "resolved", label: "Resolved" },
              { value: "all", label: "Current and resolved" },
            ]}
          />
          <FilterSelect
            label="Severity"
            any="Any severity"
            className="w-[calc(50%-0.25rem)] sm:w-36"
            value={severity}
            onChange={(value) => list.set({ severity: value })}
            options={severities.map((value) => ({ value, label: value }))}
          />
          <FilterSelect
            label="Data source"
            any="Any data source"
            className="w-[calc(50%-0.25rem)] sm:w-44"
            value={source === null ? null : String(source)}
            onChange={(value) => list.set({ source: value === null ? null : Number(value) })}
            options={(sources.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <FilterSelect
            label="Assignee"
            any="Anyone's"
            className="w-[calc(50%-0.25rem)] sm:w-32"
            value={assignee === "mine" ? "mine" : null}
            onChange={(value) => list.set({ assignee: value })}
            options={[{ value: "mine", label: "Mine" }]}
          />
          <SearchInput
            label="Search incidents"
            className="sm:w-44"
            value={q}
            onValueChange={(value) => list.set({ q: value })}
          />
        </>
      }
      empty={{
        icon: CircleCheck,
        title: "No incidents",
        children:
          "An incident opens when a subscription or contract fails, cannot run, or finds something. Problems of one table, of tables that belong together, or of one moment are one incident. It resolves when all of them are over.",
      }}
    >
      {(incident, row) => <IncidentRow incident={incident} href={hrefOf(incident)} {...row} />}
    </ListPage>
  );
}
