import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { loadRecipientFilters, recipientsInput } from "@/components/notifications/recipient-list-input.ts";
import { RecipientsTable } from "@/components/notifications/recipients-table.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Recipients" };

export default async function RecipientsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadRecipientFilters(searchParams),
  ]);
  await api.recipients.page.prefetch(recipientsInput(inProject(project), filters));
  return (
    <HydrateClient>
      <RecipientsTable />
    </HydrateClient>
  );
}
