"use client";
import { ChartSpline } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue } from "react";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { SubscriptionFilter } from "@/components/subscriptions/subscription-filter.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Pager } from "@/components/ui/pager.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import { AnomalyRow } from "./anomaly-row.tsx";
import { anomalyListInput, anomalyPageSize } from "./list-input.ts";
import { useAnomalyFilters } from "./use-anomaly-filters.ts";

const states = [
  { value: "all", label: "All anomalies" },
  { value: "false", label: "Not acknowledged" },
  { value: "true", label: "Acknowledged" },
] as const;

/** Every result that was unusual, newest first. */
export function AnomalyList() {
  const { href } = useProject();
  const router = useRouter();
  const filters = useAnomalyFilters();
  const projectInput = useProjectInput();
  // The rows stay until the next ones are there.
  const asked = {
    acknowledged: useDeferredValue(filters.acknowledged),
    subscription: useDeferredValue(filters.subscription),
    page: useDeferredValue(filters.page),
  };
  const [{ items, totalCount }] = trpc.anomalies.list.useSuspenseQuery(
    anomalyListInput(projectInput, asked),
    {
      refetchInterval: 30_000,
    },
  );
  const isFiltered = filters.acknowledged !== null || filters.subscription !== null;
  const isEmpty = totalCount === 0 && !isFiltered;
  /** The run that it was found in, among those before it. */
  const hrefOf = ({ subscriptionId, executionId }: (typeof items)[number]) =>
    href(`/subscriptions/${subscriptionId}?execution=${executionId}`);
  const keys = useRowKeys({
    count: items.length,
    onOpen: (index) => {
      const opened = items[index];
      if (opened) router.push(hrefOf(opened));
    },
  });
  return (
    <>
      <PageHeader
        title="Anomalies"
        count={isEmpty ? undefined : formatNumber(totalCount)}
        filters={
          !isEmpty && (
            <>
              <Select
                aria-label="Acknowledged"
                className="w-[calc(50%-0.25rem)] sm:w-44"
                value={filters.acknowledged === null ? "all" : filters.acknowledged ? "true" : "false"}
                onValueChange={(state) =>
                  filters.set({ acknowledged: state === "all" ? null : state === "true" })
                }
                options={states}
              />
              <SubscriptionFilter
                className="w-[calc(50%-0.25rem)] sm:w-48"
                value={filters.subscription}
                onChange={(subscription) => filters.set({ subscription })}
              />
            </>
          )
        }
      />
      {isEmpty ? (
        <Empty
          icon={ChartSpline}
          title="Nothing was unusual"
          action={<ButtonLink href={href("/subscriptions")}>Subscriptions</ButtonLink>}
        >
          A subscription that looks for anomalies compares each result with those of the 30 days before. It
          takes 30 results to know what is usual; what then lies too far from it is listed here with the
          reason.
        </Empty>
      ) : items.length === 0 ? (
        <Empty
          title="No anomaly matches"
          action={
            <Button onClick={() => filters.set({ acknowledged: null, subscription: null })}>
              Show all anomalies
            </Button>
          }
        >
          None has all of what the filters ask for.
        </Empty>
      ) : (
        <Table label="Anomalies">
          <Thead>
            <tr>
              <Th>Severity</Th>
              <Th>Subscription</Th>
              <Th numeric>Value</Th>
              <Th numeric className="hidden md:table-cell">
                Usual
              </Th>
              <Th className="hidden lg:table-cell">Why</Th>
              <Th className="hidden md:table-cell">Detected</Th>
              <Th className="hidden sm:table-cell">
                <span className="sr-only">Acknowledgement</span>
              </Th>
            </tr>
          </Thead>
          <tbody>
            {items.map((anomaly, index) => (
              <AnomalyRow key={anomaly.id} anomaly={anomaly} href={hrefOf(anomaly)} {...keys.row(index)} />
            ))}
          </tbody>
        </Table>
      )}
      <Pager
        page={Math.max(filters.page, 1) - 1}
        pageSize={anomalyPageSize}
        total={totalCount}
        onPageChange={(page) => filters.setPage(page + 1)}
        previous="Newer"
        next="Older"
      />
    </>
  );
}
