import type { Metadata } from "next";
import { createLoader, parseAsInteger, type SearchParams } from "nuqs/server";
import { InProject } from "@/components/auth/in-project.tsx";
import { loadQuery } from "@/components/queries/load-query.ts";
import { QueryPage } from "@/components/queries/query-page.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

/** `?run=12` fills in the parameters of a subscription's run. */
const loadRun = createLoader({ run: parseAsInteger });

export async function generateMetadata({ params }: Pick<Props, "params">): Promise<Metadata> {
  return { title: (await loadQuery((await params).id)).name };
}

export default async function Page({ params, searchParams }: Props) {
  const { id, projectId, pendingVersion } = await loadQuery((await params).id);
  const { run } = await loadRun(searchParams);
  await Promise.all([
    run !== null && api.subscriptions.execution.prefetch({ id: run }),
    api.queries.get.prefetch({ id }),
    api.queries.folders.prefetch({ projectId }),
    api.dataSources.list.prefetch({ projectId }),
    api.approvals.workflow.prefetch(),
    pendingVersion !== null && api.approvals.list.prefetch({ queryId: id, status: "Pending", pageSize: 1 }),
  ]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        {/* The key resets the editor when going from one query to another. */}
        <QueryPage key={id} id={id} />
      </InProject>
    </HydrateClient>
  );
}
