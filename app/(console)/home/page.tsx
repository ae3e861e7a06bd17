import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import {
  attentionInput,
  loadAttentionFilters,
  statisticsInput,
} from "@/components/needs-attention/attention-filter.ts";
import { HomePage } from "@/components/needs-attention/home-page.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient, isSignedIn } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Home" };

export default async function Home({ searchParams }: { searchParams: Promise<SearchParams> }) {
  // The console layout redirects to the sign-in page.
  if (!(await isSignedIn())) return null;
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadAttentionFilters(searchParams),
  ]);
  const chosen = inProject(project);
  await Promise.all([
    api.needsAttention.list.prefetch(attentionInput(chosen, filters)),
    api.needsAttention.count.prefetch(chosen),
    api.needsAttention.allClear.prefetch(chosen),
    api.gettingStarted.guide.prefetch(chosen),
    api.gettingStarted.tour.prefetch(),
    api.controlTower.statistics.prefetch(statisticsInput(chosen)),
    api.projects.list.prefetch(),
  ]);
  return (
    <HydrateClient>
      <HomePage />
    </HydrateClient>
  );
}
