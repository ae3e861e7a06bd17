import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ActorPage } from "@/components/actors/actor-page.tsx";
import { executionsInput, loadActorParameters } from "@/components/actors/actor-pages.ts";
import { loadActor } from "@/components/actors/load-actor.ts";
import { InProject } from "@/components/auth/in-project.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await loadActor((await params).id)).name };
}

export default async function Page({ params, searchParams }: Props) {
  const [{ id, projectId }, { page }] = await Promise.all([
    loadActor((await params).id),
    loadActorParameters(searchParams),
  ]);
  await Promise.all([
    api.actors.get.prefetch({ id }),
    api.actors.pendingPlans.prefetch({ id }),
    api.actors.executions.prefetch(executionsInput(id, page)),
    api.actors.model.prefetch(),
  ]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <ActorPage key={id} id={id} />
      </InProject>
    </HydrateClient>
  );
}
