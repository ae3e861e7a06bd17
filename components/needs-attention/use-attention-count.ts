"use client";
import { useProjectInput } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";

/** How many items need a person in the selected project. */
export function useAttentionCount(): number {
  const isHydrated = useHydrated();
  const { data } = trpc.needsAttention.count.useQuery(useProjectInput(), {
    refetchInterval: 30_000,
    staleTime: 15_000,
  });
  return isHydrated ? (data?.total ?? 0) : 0;
}
