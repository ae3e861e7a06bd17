import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Overview } from "@/components/data-quality/overview.tsx";
import { overviewQuery } from "@/components/data-quality/overview-query.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Data quality" };

export default async function DataQualityPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { project } = await loadProject(searchParams);
  await Promise.all([
    api.dataQuality.overview.prefetch({ ...inProject(project), ...overviewQuery }),
    api.dataSources.list.prefetch(inProject(project)),
  ]);
  return (
    <HydrateClient>
      <Overview />
    </HydrateClient>
  );
}
