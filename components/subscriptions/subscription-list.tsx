"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useBulk } from "@/components/bulk/use-bulk.tsx";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { BellPlus, BellRing } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { ViewsMenu } from "@/components/views/views-menu.tsx";
import { inItsProject } from "../auth/in-project.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { OutcomeGuide } from "./outcome-guide.tsx";
import { useRecentValues } from "./recent-chart.tsx";
import { SubscriptionFilters } from "./subscription-filters.tsx";
import { SubscriptionRow } from "./subscription-row.tsx";
import { useSubscriptionList } from "./use-subscription-list.ts";

/** The subscriptions of the selected project, those that need attention first. */
export function SubscriptionList() {
  const { href } = useProject();
  const mayWrite = useMay("subscriptions:configure");
  const { list, page } = useSubscriptionList();
  const inTrouble = trpc.subscriptions.list.useQuery(
    { ...useProjectInput(), hasIncident: true, pageSize: 1 },
    { refetchInterval: 30_000 },
  ).data?.totalCount;
  const mayRun = useMay("subscriptions:run");
  const utils = trpc.useUtils();
  const bulk = useBulk({
    input: list.input,
    things: ["subscription", "subscriptions"],
    total: page.totalCount,
    loadIds: async (most) => {
      const all = await utils.subscriptions.list.fetch({ ...list.input, page: 0, pageSize: most });
      return all.items.map(({ id }) => id);
    },
  });
  const recent = useRecentValues(page.items.map(({ id }) => id));
  const hrefOf = ({ id }: { id: number }) => href(`/subscriptions/${id}`);
  const create = mayWrite && (
    <ButtonLink href={href(`/subscriptions/new`)} variant="primary" icon={BellPlus}>
      New subscription
    </ButtonLink>
  );
  const columns: Columns = [
    { title: "Subscription", sort: list.sortBy("name") },
    { title: "Last run", sort: list.sortBy("last", "desc") },
    {
      title: "Trend",
      from: "lg",
      hint: "The last 30 runs: rows, or the first number of the first row",
    },
    { title: "Schedule", from: "md" },
    { title: "Next run", from: "md", sort: list.sortBy("next") },
    { title: "Notifies", from: "lg" },
    { title: "Recipients", from: "@6xl", numeric: true },
    actionsColumn(),
  ];

  return (
    <ListPage
      title="Subscriptions"
      things="subscriptions"
      columns={columns}
      around={inItsProject}
      rows={page.items}
      page={page}
      list={list}
      selection={
        mayRun
          ? {
              of: bulk.selection,
              nameOf: ({ queryName }) => queryName,
              bar: bulk.barWith(<BulkActions bulk={bulk} />),
            }
          : undefined
      }
      notices={bulk.outcome}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      count={
        <>
          {formatNumber(page.totalCount)}
          {inTrouble !== undefined && inTrouble > 0 && (
            <span className="pl-2 font-medium text-critical">{plural(inTrouble, "incident")}</span>
          )}
        </>
      }
      filters={<SubscriptionFilters list={list} />}
      actions={
        <>
          <ViewsMenu page="subscriptions" />
          <OutcomeGuide />
          {create}
        </>
      }
      empty={{
        icon: BellRing,
        title: "No subscriptions yet",
        action: create,
        children: `A subscription runs a query on a schedule. When the result meets its condition, it notifies recipients and can open a task. It can also detect unusual results.${
          mayWrite ? "" : " An Editor or an Admin can create one."
        }`,
      }}
    >
      {(subscription, row) => (
        <SubscriptionRow
          recent={recent.get(subscription.id)}
          subscription={subscription}
          href={hrefOf(subscription)}
          {...row}
        />
      )}
    </ListPage>
  );
}
