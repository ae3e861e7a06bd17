import type { Metadata } from "next";
import { ProjectsTable } from "@/components/projects/projects-table.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Projects" };

export default async function ProjectsPage() {
  await api.projects.list.prefetch();
  return (
    <HydrateClient>
      <ProjectsTable />
    </HydrateClient>
  );
}
