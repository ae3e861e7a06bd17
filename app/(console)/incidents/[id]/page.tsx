import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { firstOf } from "@/components/incidents/first-problems.ts";
import { IncidentPage } from "@/components/incidents/incident-page.tsx";
import { loadIncident } from "@/components/incidents/load-incident.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await loadIncident((await params).id)).title };
}

export default async function Page({ params }: Props) {
  const { id, projectId } = await loadIncident((await params).id);
  await api.incidents.get.prefetch(firstOf(id));
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <IncidentPage id={id} />
      </InProject>
    </HydrateClient>
  );
}
