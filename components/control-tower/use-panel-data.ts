"use client";
import { useEffect, useRef } from "react";
import { isUnderWay } from "@/components/subscriptions/outcome-looks.ts";
import { toastRun } from "@/components/subscriptions/toast-run.ts";
import { useExecutionRun } from "@/components/subscriptions/use-execution-run.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { SubscriptionDetail } from "@/server/control-tower/schema.ts";
import { refreshEvery, useRefresh } from "./use-refresh.ts";

/** The panel's data, and a run that is followed to its end. */
export function usePanelData(id: number, timeRangeDays: number) {
  const refresh = useRefresh();
  const detail = trpc.controlTower.detail.useQuery(
    { id, timeRangeDays },
    {
      refetchInterval: ({ state: { data } }) => (isNewsToCome(data?.executions[0]) ? 1_000 : false),
    },
  );
  const subscription = trpc.subscriptions.get.useQuery({ id }, { refetchInterval: refreshEvery });
  const tasks = trpc.tasks.list.useQuery(
    { subscriptionId: id, status: "Open" },
    { refetchInterval: refreshEvery },
  );
  const zone = useZone();
  const run = useExecutionRun(id, (execution) => {
    refresh();
    toastRun(execution, zone);
  });

  // A finished run, whoever started it, changes the row and the cards; a delivery changes the row.
  const isToCome = isNewsToCome(detail.data?.executions[0]);
  const wasToCome = useRef(isToCome);
  useEffect(() => {
    if (wasToCome.current && !isToCome) refresh();
    wasToCome.current = isToCome;
  }, [isToCome, refresh]);

  return { id, detail, subscription, tasks, run };
}

const isNewsToCome = (latest: SubscriptionDetail["executions"][number] | undefined): boolean =>
  latest !== undefined && isUnderWay(latest.outcome);

export type PanelData = ReturnType<typeof usePanelData>;
