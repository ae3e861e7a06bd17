import type { Metadata } from "next";
import { createLoader, parseAsInteger, type SearchParams } from "nuqs/server";
import { NewActor } from "@/components/actors/new-actor.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "New AI actor" };

/** Passed on from another page: `?source=7`. */
const loadStart = createLoader({ source: parseAsInteger });

export default async function NewActorPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, { source }] = await Promise.all([loadProject(searchParams), loadStart(searchParams)]);
  await Promise.all([api.dataSources.list.prefetch(inProject(project)), api.actors.model.prefetch()]);
  return (
    <HydrateClient>
      <NewActor dataSourceId={source} />
    </HydrateClient>
  );
}
