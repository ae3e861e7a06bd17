"use client";
import { useQueryStates } from "nuqs";
import { useCallback, useDeferredValue, useMemo } from "react";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { type JobFilters, jobParameters, jobsInput } from "./job-filter.ts";

export type ListedJob = Outputs["jobs"]["list"]["items"][number];

/** While something is about to happen, and otherwise. */
const refreshMs = { busy: 2_000, idle: 5_000 };

const isBusy = ({ status, nextAttemptAt }: ListedJob) =>
  status === "Running" || (nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + refreshMs.busy);

/** A page of the jobs, by what the address asks for. While another one is on its way the rows stay. */
export function useJobs() {
  const [filters, set] = useQueryStates(jobParameters, { clearOnDefault: true, history: "push" });
  const asked = JSON.stringify(jobsInput(filters));
  const settled = useDeferredValue(asked);
  const input = useMemo(() => JSON.parse(settled) as ReturnType<typeof jobsInput>, [settled]);
  const [jobs] = trpc.jobs.list.useSuspenseQuery(input, {
    refetchInterval: ({ state }) => (state.data?.items.some(isBusy) ? refreshMs.busy : refreshMs.idle),
  });
  return {
    jobs,
    filters,
    isFiltered: filters.status !== null || filters.name !== null,
    isChanging: asked !== settled,
    /** Another filter begins at the newest again. */
    setFilters: (next: Partial<JobFilters>) => void set({ ...next, page: null }),
    setPage: useCallback((next: number) => void set({ page: next + 1 }), [set]),
    showAll: () => void set({ status: null, name: null, housekeeping: null, page: null }),
  };
}

export type Jobs = ReturnType<typeof useJobs>;
