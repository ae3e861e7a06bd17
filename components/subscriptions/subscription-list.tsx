"use client";
import { BellPlus, BellRing } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Empty } from "@/components/ui/empty.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Pager } from "@/components/ui/pager.tsx";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import { subscriptionPageSize } from "./list-input.ts";
import { SubscriptionFilters } from "./subscription-filters.tsx";
import { SubscriptionRow } from "./subscription-row.tsx";
import { useSubscriptionList } from "./use-subscription-list.ts";

/** Every subscription of the chosen project, what needs attention first. */
export function SubscriptionList() {
  const { href } = useProject();
  const router = useRouter();
  const mayWrite = useMay("subscriptions:configure");
  const list = useSubscriptionList();
  const { sortBy } = list;
  const { items, totalCount } = list.page;
  const inTrouble = trpc.subscriptions.list.useQuery(
    { ...useProjectInput(), hasIncident: true, pageSize: 1 },
    { refetchInterval: 30_000 },
  ).data?.totalCount;
  const hrefOf = (id: number) => href(`/subscriptions/${id}`);
  const keys = useRowKeys({
    count: items.length,
    onOpen: (index) => {
      const opened = items[index];
      if (opened) router.push(hrefOf(opened.id));
    },
  });
  const create = mayWrite && (
    <ButtonLink href={href(`/subscriptions/new`)} variant="primary" icon={BellPlus}>
      New subscription
    </ButtonLink>
  );
  const isEmpty = totalCount === 0 && !list.isFiltered;

  return (
    <>
      <PageHeader
        title="Subscriptions"
        count={
          isEmpty ? undefined : (
            <>
              {formatNumber(totalCount)}
              {inTrouble !== undefined && inTrouble > 0 && (
                <span className="pl-2 font-medium text-critical">{plural(inTrouble, "incident")}</span>
              )}
            </>
          )
        }
        filters={!isEmpty && <SubscriptionFilters list={list} />}
        actions={create}
      />
      {isEmpty ? (
        <Empty icon={BellRing} title="Nothing is watched yet" action={create}>
          A subscription runs a query on a schedule. When the result is what its condition looks for, it tells
          its recipients, and can open a task or notice that the figures are unusual.
          {!mayWrite && " An Editor or an Admin can write one."}
        </Empty>
      ) : items.length === 0 ? (
        <Empty
          title={
            totalCount > 0
              ? "There is nothing on this page of the list"
              : "No subscriptions match these filters"
          }
          action={
            <Button onClick={() => list.set({ query: null, state: null, q: null })}>
              Show all subscriptions
            </Button>
          }
        />
      ) : (
        <div
          aria-busy={list.isChanging}
          className={cn("transition-opacity", list.isChanging && "opacity-60")}
        >
          <Table label="Subscriptions">
            <Thead>
              <tr>
                <Th sort={sortBy("name")}>Subscription</Th>
                <Th sort={sortBy("last", "desc")}>Last run</Th>
                <Th className="hidden md:table-cell">Schedule</Th>
                <Th className="hidden md:table-cell" sort={sortBy("next")}>
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
              {items.map((subscription, index) => (
                <SubscriptionRow
                  key={subscription.id}
                  subscription={subscription}
                  href={hrefOf(subscription.id)}
                  {...keys.row(index)}
                />
              ))}
            </tbody>
          </Table>
        </div>
      )}
      <Pager
        page={list.page.page}
        pageSize={subscriptionPageSize}
        total={totalCount}
        onPageChange={list.setPage}
      />
    </>
  );
}
