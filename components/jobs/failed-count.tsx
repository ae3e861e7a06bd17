"use client";
import { useMay } from "../auth/use-me.ts";
import { CountBadge } from "../shell/count-badge.tsx";
import { trpc } from "../trpc/client.tsx";

/** How many jobs have failed within a day, beside the name of their page. */
export function FailedCount({ narrow }: { narrow: boolean }) {
  const may = useMay("jobs:manage");
  const { data } = trpc.jobs.engine.useQuery(undefined, {
    ...{ enabled: may, refetchInterval: 30_000, staleTime: 15_000 },
  });
  return <CountBadge count={data?.failedLastDay ?? 0} narrow={narrow} word="failed" />;
}
