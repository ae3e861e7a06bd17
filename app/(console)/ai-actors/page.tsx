import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ActorList } from "@/components/actors/actor-list.tsx";
import { inboxInput } from "@/components/actors/actor-pages.ts";
import { actorsInput, loadActorFilters } from "@/components/actors/list-input.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "AI actors" };

export default async function ActorsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadActorFilters(searchParams),
  ]);
  const input = inProject(project);
  await Promise.all([
    api.actors.page.prefetch(actorsInput(input, filters)),
    api.actors.plans.prefetch(inboxInput(input)),
  ]);
  return (
    <HydrateClient>
      <ActorList />
    </HydrateClient>
  );
}
