"use client";
import { useMay } from "../auth/use-me.ts";
import { CountBadge } from "../shell/count-badge.tsx";
import { trpc } from "../trpc/client.tsx";

/** The number of jobs that failed in the last day, next to the page's link. */
export function FailedCount({ narrow }: { narrow: boolean }) {
  const may = useMay("jobs:manage");
  const { data } = trpc.jobs.engine.useQuery(undefined, {
    ...{ enabled: may, refetchInterval: 30_000, staleTime: 15_000 },
  });
  return <CountBadge count={data?.failedLastDay ?? 0} narrow={narrow} word="failed" />;
}
