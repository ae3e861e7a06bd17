"use client";
import { useEffect, useRef } from "react";
import { outcomeLooks } from "@/components/subscriptions/outcome.tsx";
import { useExecutionRun } from "@/components/subscriptions/use-execution-run.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { plural } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import { refreshEvery, useRefresh } from "./use-refresh.ts";

/** What a panel shows of its subscription, and a run of it that is followed to its end. */
export function usePanelData(id: number, timeRangeDays: number) {
  const refresh = useRefresh();
  const detail = trpc.controlTower.detail.useQuery(
    { id, timeRangeDays },
    {
      refetchInterval: ({ state }) => (state.data?.executions[0]?.status === "Created" ? 1_000 : false),
    },
  );
  const subscription = trpc.subscriptions.get.useQuery({ id }, { refetchInterval: refreshEvery });
  const tasks = trpc.tasks.list.useQuery(
    { subscriptionId: id, status: "Open" },
    { refetchInterval: refreshEvery },
  );
  const run = useExecutionRun(id, ({ status, rowCount, errorMessage }) => {
    refresh();
    const { word } = outcomeLooks[status];
    if (errorMessage) toast.error(word, { description: errorMessage.slice(0, 200) });
    else toast.success(rowCount === null ? word : `${word}: ${plural(rowCount, "row")}`);
  });

  // A run that has ended, whoever began it, counts in the row and the cards.
  const isUnderWay = detail.data?.executions[0]?.status === "Created";
  const wasUnderWay = useRef(isUnderWay);
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) refresh();
    wasUnderWay.current = isUnderWay;
  }, [isUnderWay, refresh]);

  return { id, detail, subscription, tasks, run };
}

export type PanelData = ReturnType<typeof usePanelData>;
