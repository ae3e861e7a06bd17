import type { Metadata } from "next";
import { createLoader, parseAsBoolean, parseAsInteger, type SearchParams } from "nuqs/server";
import { AnomalyList } from "@/components/anomalies/anomaly-list.tsx";
import { anomalyListInput } from "@/components/anomalies/list-input.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Anomalies" };

const loadFilters = createLoader({
  acknowledged: parseAsBoolean,
  subscription: parseAsInteger,
  page: parseAsInteger.withDefault(1),
});

export default async function AnomaliesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([loadProject(searchParams), loadFilters(searchParams)]);
  await api.anomalies.list.prefetch(anomalyListInput(inProject(project), filters));
  return (
    <HydrateClient>
      <AnomalyList />
    </HydrateClient>
  );
}
