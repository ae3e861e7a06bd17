import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import type { Paging } from "../../db/paged.ts";
import { Problem } from "../../errors.ts";
import type { ApprovalKind, ApprovalStatus } from "../../queries/approval-kinds.ts";
import { type ApprovalRequest, findRequest, listRequests } from "../../queries/service/approval-requests.ts";
import { countSubscriptions } from "../../queries/service/subscriptions-of-queries.ts";
import { loadVersions } from "../../queries/service/versions.ts";
import { getSettings } from "../../settings/service.ts";
import { kinds } from "../kinds.ts";

export const approvalNotFound = () => new Problem("not_found", "Approval not found");

type Filter = {
  kind?: ApprovalKind | undefined;
  projectId?: number | undefined;
  status?: ApprovalStatus | undefined;
  queryId?: number | undefined;
  requesterId?: number | undefined;
  search?: string | undefined;
};

/** A page of the approvals that the caller may see, newest first. */
export async function listApprovals(ctx: SignedIn, filter: Filter & Paging) {
  const { items, ...page } = await listRequests(ctx, filter);
  return { items: await shown(items), ...page };
}

/** All pending requests, newest first. */
export async function listPending(ctx: SignedIn, { projectId }: { projectId?: number | undefined }) {
  const firstPage = { page: 0, pageSize: 500 };
  return { items: (await listApprovals(ctx, { projectId, status: "Pending", ...firstPage })).items };
}

/**
 * Throws not_found for a request that is unknown, of an archived query, or in a project that the caller cannot see.
 */
export async function getApproval(ctx: SignedIn, id: number) {
  const request = await findRequest(ctx, id);
  const [approval] = request ? await shown([request]) : [];
  if (!approval) throw approvalNotFound();
  return approval;
}

/** Whether changes to queries need approval, and whether by someone else. */
export async function getWorkflow() {
  const { approvalWorkflow, fourEyes } = await getSettings();
  return { isOn: approvalWorkflow, fourEyes };
}

async function shown(requests: readonly ApprovalRequest[]) {
  const queryIds = requests.map(({ queryId }) => queryId);
  const [people, versions, countOf] = await Promise.all([
    namesOfUsers(requests.flatMap(({ requesterId, reviewerId }) => [requesterId, reviewerId])),
    loadVersions(queryIds),
    countSubscriptions(queryIds),
  ]);
  return requests.map(({ requesterId, reviewerId, authorId, number, baseNumber, ...request }) => {
    const facts = { queryId: request.queryId, requesterId, authorId, number, baseNumber };
    const own = versions.get(request.queryId) ?? [];
    const proposedVersion = own.find((version) => version.number === number);
    if (!proposedVersion) throw new Error(`Query ${request.queryId} has no version ${number}`);
    const active = own.find(({ status }) => status === "Active");
    const base = own.find((version) => version.number === baseNumber);
    const isPending = request.status === "Pending";
    return {
      ...request,
      requester: people.get(requesterId ?? 0) ?? null,
      reviewer: people.get(reviewerId ?? 0) ?? null,
      activeVersion: (isPending ? active : base) ?? null,
      proposedVersion,
      baseVersion: baseNumber,
      subscriptionCount: countOf.get(request.queryId) ?? 0,
      isStale: isPending && kinds[request.kind].staleBecause(facts, active?.number ?? null) !== null,
    };
  });
}
