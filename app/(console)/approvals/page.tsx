import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { approvalListInput, loadApprovalFilters } from "@/components/approvals/approval-filter.ts";
import { ApprovalList } from "@/components/approvals/approval-list.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Approvals" };

export default async function ApprovalsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadApprovalFilters(searchParams),
  ]);
  await Promise.all([
    api.approvals.list.prefetch(approvalListInput(inProject(project), filters)),
    api.approvals.workflow.prefetch(),
  ]);
  return (
    <HydrateClient>
      <ApprovalList />
    </HydrateClient>
  );
}
