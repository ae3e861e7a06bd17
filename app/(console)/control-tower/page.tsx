import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { loadTower, towerInputs } from "@/components/control-tower/tower-filter.ts";
import { TowerPage } from "@/components/control-tower/tower-page.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Control Tower" };

export default async function ControlTowerPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([loadProject(searchParams), loadTower(searchParams)]);
  const { statistics, health } = towerInputs(inProject(project), filters);
  await Promise.all([
    api.controlTower.statistics.prefetch(statistics),
    api.controlTower.notRunYet.prefetch(statistics),
    api.controlTower.health.prefetch(health),
  ]);
  return (
    <HydrateClient>
      <TowerPage />
    </HydrateClient>
  );
}
