import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { AnomalyList } from "@/components/anomalies/anomaly-list.tsx";
import { anomalyListInput, loadAnomalyFilters } from "@/components/anomalies/list-input.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Anomalies" };

export default async function AnomaliesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadAnomalyFilters(searchParams),
  ]);
  await api.anomalies.list.prefetch(anomalyListInput(inProject(project), filters));
  return (
    <HydrateClient>
      <AnomalyList />
    </HydrateClient>
  );
}
