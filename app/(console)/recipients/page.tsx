import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { RecipientsTable } from "@/components/notifications/recipients-table.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Recipients" };

export default async function RecipientsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await api.recipients.list.prefetch(inProject((await loadProject(searchParams)).project));
  return (
    <HydrateClient>
      <RecipientsTable />
    </HydrateClient>
  );
}
