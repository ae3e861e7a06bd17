"use client";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { useListFilters } from "../ui/use-list-filters.ts";
import { jobParameters, jobsInput } from "./job-filter.ts";

export type ListedJob = Outputs["jobs"]["list"]["items"][number];

/** Poll faster while jobs are running or due. */
const refreshMs = { busy: 2_000, idle: 5_000 };

const isBusy = ({ status, nextAttemptAt }: ListedJob) =>
  status === "Running" || (nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + refreshMs.busy);

/** A page of jobs, by the filters in the URL. */
export function useJobs() {
  const list = useListFilters(jobParameters, jobsInput, { history: "push", options: ["housekeeping"] });
  const [jobs] = trpc.jobs.list.useSuspenseQuery(list.input, {
    refetchInterval: ({ state }) => (state.data?.items.some(isBusy) ? refreshMs.busy : refreshMs.idle),
  });
  return { list, jobs };
}
