"use client";
import { cn } from "@/components/ui/class-names.ts";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import type { HealthRow } from "@/server/control-tower/schema.ts";
import { TowerRow } from "./tower-row.tsx";
import { sortOf, type Tower } from "./use-tower.ts";

/** The subscriptions of a page; the row that has the focus keeps it when the order changes. */
export function TowerTable({
  rows,
  tower,
  openId,
  hrefOf,
  onOpen,
  isWaiting,
}: {
  rows: readonly HealthRow[];
  tower: Tower;
  openId: number | null;
  hrefOf: (subscriptionId: number) => string;
  onOpen: (subscriptionId: number) => void;
  /** For rows that were asked for a while ago. */
  isWaiting: boolean;
}) {
  const ids = rows.map(({ subscriptionId }) => subscriptionId);
  const keys = useRowKeys({
    count: ids.length,
    ids,
    onOpen: (index) => {
      const id = ids[index];
      if (id !== undefined) onOpen(id);
    },
  });
  return (
    <div aria-busy={tower.isChanging} className={cn("transition-opacity", isWaiting && "opacity-60")}>
      <Table label="Health of subscriptions">
        <Thead>
          <tr>
            <Th
              sort={sortOf(tower, "status")}
              title="Most severe first, then most open tasks, then lowest success rate"
            >
              Status
            </Th>
            <Th sort={sortOf(tower, "name")}>Subscription</Th>
            <Th numeric sort={sortOf(tower, "success")}>
              Success
            </Th>
            <Th numeric className="hidden @2xl:table-cell" sort={sortOf(tower, "runs")}>
              Runs
            </Th>
            <Th numeric className="hidden @2xl:table-cell" sort={sortOf(tower, "tasks")}>
              Tasks
            </Th>
            <Th numeric className="hidden @2xl:table-cell" sort={sortOf(tower, "anomalies")}>
              Anomalies
            </Th>
            <Th className="hidden @2xl:table-cell" sort={sortOf(tower, "last")}>
              Last run
            </Th>
          </tr>
        </Thead>
        <tbody>
          {rows.map((health, index) => (
            <TowerRow
              key={health.subscriptionId}
              health={health}
              href={hrefOf(health.subscriptionId)}
              isOpen={health.subscriptionId === openId}
              onOpen={() => onOpen(health.subscriptionId)}
              {...keys.row(index)}
            />
          ))}
        </tbody>
      </Table>
    </div>
  );
}
