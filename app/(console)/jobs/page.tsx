import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { jobsInput, loadJobFilters } from "@/components/jobs/job-filter.ts";
import { JobsPage } from "@/components/jobs/jobs-page.tsx";
import { ForPermission } from "@/components/shell/for-permission.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Jobs" };

export default async function JobsOverview({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await Promise.all([
    api.jobs.list.prefetch(jobsInput(await loadJobFilters(searchParams))),
    api.jobs.engine.prefetch(),
  ]);
  return (
    <HydrateClient>
      <ForPermission title="Jobs" permission="jobs:manage">
        <JobsPage />
      </ForPermission>
    </HydrateClient>
  );
}
