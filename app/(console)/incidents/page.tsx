import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { incidentListInput, loadIncidentFilters } from "@/components/incidents/incident-filter.ts";
import { IncidentList } from "@/components/incidents/incident-list.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient, isSignedIn } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Incidents" };

export default async function IncidentsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  // The console layout redirects to the sign-in page.
  if (!(await isSignedIn())) return null;
  const [{ project }, filters, me] = await Promise.all([
    loadProject(searchParams),
    loadIncidentFilters(searchParams),
    api.session.me(),
  ]);
  const own = inProject(project);
  await api.incidents.list.prefetch(incidentListInput(own, filters, me.user.id));
  await api.incidents.figures.prefetch(own);
  return (
    <HydrateClient>
      <IncidentList />
    </HydrateClient>
  );
}
