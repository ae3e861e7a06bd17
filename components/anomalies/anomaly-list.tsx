"use client";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { SubscriptionFilter } from "@/components/subscriptions/subscription-filter.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { FilterSelect } from "@/components/ui/filter-select.tsx";
import { ChartSpline } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { AnomalyRow } from "./anomaly-row.tsx";
import { anomalyListInput, anomalyParameters } from "./list-input.ts";

const columns: Columns = [
  { title: "Severity" },
  { title: "Subscription" },
  { title: "Value", numeric: true },
  { title: "Usual", numeric: true, from: "md" },
  { title: "Why", from: "lg" },
  { title: "Detected", from: "md" },
  actionsColumn("sm", "Acknowledgement"),
];

/** All anomalies, newest first. */
export function AnomalyList() {
  const { href } = useProject();
  const project = useProjectInput();
  const list = useListFilters(anomalyParameters, (filters) => anomalyListInput(project, filters));
  const [page] = trpc.anomalies.list.useSuspenseQuery(list.input, { refetchInterval: 30_000 });
  const { acknowledged, subscription } = list.filters;
  /** The anomaly's run in the subscription's history. */
  const hrefOf = ({ subscriptionId, executionId }: { subscriptionId: number; executionId: number }) =>
    href(`/subscriptions/${subscriptionId}?execution=${executionId}`);
  return (
    <ListPage
      title="Anomalies"
      things="anomalies"
      columns={columns}
      rows={page.items}
      page={page}
      isNewestFirst
      list={list}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      filters={
        <>
          <FilterSelect
            label="Acknowledged"
            any="All anomalies"
            className="sm:w-44"
            value={acknowledged === null ? null : acknowledged ? "yes" : "no"}
            onChange={(answer) => list.set({ acknowledged: answer === null ? null : answer === "yes" })}
            options={[
              { value: "no", label: "Not acknowledged" },
              { value: "yes", label: "Acknowledged" },
            ]}
          />
          <SubscriptionFilter
            className="w-[calc(50%-0.25rem)] sm:w-48"
            value={subscription}
            onChange={(chosen) => list.set({ subscription: chosen })}
          />
        </>
      }
      empty={{
        icon: ChartSpline,
        title: "Nothing unusual",
        action: <ButtonLink href={href("/subscriptions")}>Subscriptions</ButtonLink>,
        children:
          "A subscription with anomaly detection compares each result with earlier ones. It needs 14 to 30 of them, depending on its method, to know what is usual. Results outside that range are listed here with the reason.",
      }}
    >
      {(anomaly, row) => <AnomalyRow anomaly={anomaly} href={hrefOf(anomaly)} {...row} />}
    </ListPage>
  );
}
