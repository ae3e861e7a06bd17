import type { Metadata } from "next";
import { EditActor } from "@/components/actors/edit-actor.tsx";
import { loadActor } from "@/components/actors/load-actor.ts";
import { InProject } from "@/components/auth/in-project.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Edit ${(await loadActor((await params).id)).name}` };
}

export default async function EditActorPage({ params }: Props) {
  const { id, projectId } = await loadActor((await params).id);
  await Promise.all([api.actors.get.prefetch({ id }), api.actors.model.prefetch()]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <EditActor id={id} />
      </InProject>
    </HydrateClient>
  );
}
