import type { Metadata } from "next";
import { loadPlan } from "@/components/actors/load-actor.ts";
import { PlanPage } from "@/components/actors/plan-page.tsx";
import { InProject } from "@/components/auth/in-project.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Plan of ${(await loadPlan((await params).id)).actorName}` };
}

export default async function Page({ params }: Props) {
  const { id, actorId, projectId } = await loadPlan((await params).id);
  await Promise.all([
    api.actors.plan.prefetch({ id }),
    api.actors.planVersions.prefetch({ id }),
    api.actors.get.prefetch({ id: actorId }),
    api.actors.model.prefetch(),
    api.dataSources.list.prefetch({ projectId }),
    api.recipients.list.prefetch({ projectId }),
  ]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        {/* The key resets the decision form when going from one plan to another. */}
        <PlanPage key={id} id={id} />
      </InProject>
    </HydrateClient>
  );
}
