"use client";
import { useRecentValues } from "@/components/subscriptions/recent-chart.tsx";
import { type Columns, List, type Page } from "@/components/ui/list.tsx";
import type { HealthRow } from "@/server/control-tower/schema.ts";
import { noFilters } from "./tower-filters.tsx";
import { TowerRow } from "./tower-row.tsx";
import { sortStateOf, type Tower } from "./use-tower.ts";

/** The subscriptions of a page; a focused row keeps focus when the order changes. */
export function TowerTable({
  page,
  tower,
  openId,
  hrefOf,
  onOpen,
}: {
  page: Page & { items: readonly HealthRow[] };
  tower: Tower;
  openId: number | null;
  hrefOf: (subscriptionId: number) => string;
  onOpen: (subscriptionId: number) => void;
}) {
  const columns: Columns = [
    {
      title: "Status",
      sort: sortStateOf(tower, "status"),
      hint: "Whether its runs succeed, whatever they find. Most severe first, then most open tasks, then lowest success rate",
    },
    { title: "Subscription", sort: sortStateOf(tower, "name") },
    { title: "Success", numeric: true, sort: sortStateOf(tower, "success") },
    { title: "Runs", numeric: true, from: "@2xl", sort: sortStateOf(tower, "runs") },
    { title: "Tasks", numeric: true, from: "@2xl", sort: sortStateOf(tower, "tasks") },
    { title: "Anomalies", numeric: true, from: "@2xl", sort: sortStateOf(tower, "anomalies") },
    {
      title: "Trend",
      from: "@4xl",
      hint: "The last 30 runs: rows, or the first number of the first row",
    },
    { title: "Last run", from: "@2xl", sort: sortStateOf(tower, "last") },
  ];
  const recent = useRecentValues(
    page.items.map(({ subscriptionId }) => subscriptionId),
    { refreshes: false },
  );
  return (
    <List
      label="Health of subscriptions"
      things="subscriptions"
      columns={columns}
      rows={page.items}
      page={page}
      list={{
        isFiltered: tower.isFiltered,
        isChanging: tower.isChanging,
        reset: () => tower.set(noFilters),
        setPage: (next) => tower.set({ page: next === 0 ? null : next + 1 }),
      }}
      keyOf={({ subscriptionId }) => subscriptionId}
      onOpen={({ subscriptionId }) => onOpen(subscriptionId)}
      empty={null}
    >
      {(health, row) => (
        <TowerRow
          health={health}
          recent={recent.get(health.subscriptionId)}
          href={hrefOf(health.subscriptionId)}
          isOpen={health.subscriptionId === openId}
          onOpen={() => onOpen(health.subscriptionId)}
          {...row}
        />
      )}
    </List>
  );
}
