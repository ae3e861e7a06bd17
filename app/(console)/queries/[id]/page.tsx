import type { Metadata } from "next";
import { loadQuery } from "@/components/queries/load-query.ts";
import { QueryPage } from "@/components/queries/query-page.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await loadQuery((await params).id)).name };
}

export default async function Page({ params }: Props) {
  const { id, projectId, pendingVersion } = await loadQuery((await params).id);
  await Promise.all([
    api.queries.get.prefetch({ id }),
    api.queries.folders.prefetch({ projectId }),
    api.dataSources.list.prefetch({ projectId }),
    api.approvals.workflow.prefetch(),
    pendingVersion !== null && api.approvals.list.prefetch({ queryId: id, status: "Pending", pageSize: 1 }),
  ]);
  return (
    <HydrateClient>
      {/* The key resets the editor when going from one query to another. */}
      <QueryPage key={id} id={id} />
    </HydrateClient>
  );
}
