import type { Metadata } from "next";
import { ApprovalPage } from "@/components/approvals/approval-page.tsx";
import { loadApproval } from "@/components/approvals/load-approval.ts";
import { InProject } from "@/components/auth/in-project.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Change of ${(await loadApproval((await params).id)).queryName}` };
}

export default async function Page({ params }: Props) {
  const { id, queryId, projectId } = await loadApproval((await params).id);
  await Promise.all([
    api.approvals.get.prefetch({ id }),
    api.approvals.workflow.prefetch(),
    api.queries.get.prefetch({ id: queryId }),
    api.dataSources.list.prefetch({ projectId }),
  ]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        {/* The key resets the decision form when going from one change to another. */}
        <ApprovalPage key={id} id={id} />
      </InProject>
    </HydrateClient>
  );
}
