"use client";
import { BellPlus, BellRing } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { useNow } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Pager } from "@/components/ui/pager.tsx";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import { subscriptionListInput, subscriptionPageSize } from "./list-input.ts";
import { isUnderWay } from "./outcome-looks.ts";
import { SubscriptionFilters } from "./subscription-filters.tsx";
import { SubscriptionRow } from "./subscription-row.tsx";
import { inOrder, isFound, isInState } from "./subscription-rows.ts";
import { useSubscriptionFilters } from "./use-subscription-filters.ts";

/** Every subscription of the chosen project, what needs attention first. */
export function SubscriptionList() {
  const { href } = useProject();
  const router = useRouter();
  const now = useNow();
  const mayWrite = useMay("subscriptions:configure");
  const filters = useSubscriptionFilters();
  const projectInput = useProjectInput();
  // The rows stay until the next ones are there.
  const [query, state, page] = [
    useDeferredValue(filters.query),
    useDeferredValue(filters.state),
    useDeferredValue(filters.page),
  ];
  const [{ items, totalCount }] = trpc.subscriptions.list.useSuspenseQuery(
    subscriptionListInput(projectInput, { query, state, page }),
    {
      refetchInterval: ({ state: { data } }) =>
        data?.items.some(({ lastExecution }) => lastExecution && isUnderWay(lastExecution.outcome))
          ? 2_000
          : 30_000,
    },
  );

  const found = items.filter(
    (each) => (state === null || isInState(each, state, now)) && isFound(each, filters.q),
  );
  const shown = inOrder(found, filters.sort, filters.direction);
  const inTrouble = items.filter(({ incidents }) => incidents.length > 0).length;
  const isFiltered = filters.query !== null || filters.state !== null || filters.q !== "";
  const isPaged = totalCount > subscriptionPageSize;
  const hrefOf = (id: number) => href(`/subscriptions/${id}`);
  const keys = useRowKeys({
    count: shown.length,
    onOpen: (index) => {
      const opened = shown[index];
      if (opened) router.push(hrefOf(opened.id));
    },
  });
  const create = mayWrite && (
    <ButtonLink href={href(`/subscriptions/new`)} variant="primary" icon={BellPlus}>
      New subscription
    </ButtonLink>
  );
  const isEmpty = totalCount === 0 && !isFiltered;

  return (
    <>
      <PageHeader
        title="Subscriptions"
        count={
          isEmpty ? undefined : (
            <>
              {found.length === items.length
                ? formatNumber(totalCount)
                : `${formatNumber(found.length)} of ${formatNumber(totalCount)}`}
              {inTrouble > 0 && (
                <span className="pl-2 font-medium text-critical">{plural(inTrouble, "incident")}</span>
              )}
            </>
          )
        }
        filters={!isEmpty && <SubscriptionFilters filters={filters} isPaged={isPaged} />}
        actions={create}
      />
      {isEmpty ? (
        <Empty icon={BellRing} title="Nothing is watched yet" action={create}>
          A subscription runs a query on a schedule. When the result is what its condition looks for, it tells
          its recipients, and can open a task or notice that the figures are unusual.
          {!mayWrite && " An Editor or an Admin can write one."}
        </Empty>
      ) : shown.length === 0 ? (
        <Empty
          title="No subscription matches"
          action={
            <Button onClick={() => filters.set({ query: null, state: null, q: null })}>
              Show all subscriptions
            </Button>
          }
        >
          None has all of what the filters ask for.
        </Empty>
      ) : (
        <Table label="Subscriptions">
          <Thead>
            <tr>
              <Th sort={filters.sortBy("name")}>Subscription</Th>
              <Th sort={filters.sortBy("last", "desc")}>Last run</Th>
              <Th className="hidden md:table-cell">Schedule</Th>
              <Th className="hidden md:table-cell" sort={filters.sortBy("next")}>
                Next run
              </Th>
              <Th className="hidden lg:table-cell">Notifies</Th>
              <Th numeric className="hidden lg:table-cell">
                Recipients
              </Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </Thead>
          <tbody>
            {shown.map((subscription, index) => (
              <SubscriptionRow
                key={subscription.id}
                subscription={subscription}
                href={hrefOf(subscription.id)}
                {...keys.row(index)}
              />
            ))}
          </tbody>
        </Table>
      )}
      <Pager
        page={filters.page - 1}
        pageSize={subscriptionPageSize}
        total={totalCount}
        onPageChange={(next) => filters.setPage(next + 1)}
      />
    </>
  );
}
