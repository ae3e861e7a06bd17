import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { GuidePage } from "@/components/getting-started/guide-page.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient, isSignedIn } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Getting started" };

export default async function GettingStartedPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  // The console layout redirects to the sign-in page.
  if (!(await isSignedIn())) return null;
  const { project } = await loadProject(searchParams);
  await Promise.all([api.gettingStarted.guide.prefetch(inProject(project)), api.projects.list.prefetch()]);
  return (
    <HydrateClient>
      <GuidePage />
    </HydrateClient>
  );
}
