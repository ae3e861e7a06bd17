import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import {
  approvalPageSchema,
  approvalSchema,
  decideInput,
  listApprovalsInput,
  listPendingInput,
  workflowSchema,
} from "./schema.ts";
import { getApproval, getWorkflow, listApprovals, listPending } from "./service/approvals.ts";
import { approve, reject } from "./service/decide.ts";

const tag = "Approvals";

const queryNameOf = ({ queryName }: { queryName: string }) => queryName;

export const approvalsRouter = router({
  list: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/approvals", tag, summary: "List requests for approval, newest first" },
    })
    .input(listApprovalsInput)
    .output(approvalPageSchema)
    .query(({ ctx, input }) => listApprovals(ctx, input)),

  pending: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/approvals/pending",
        tag,
        summary: "Requests waiting for approval",
      },
    })
    .input(listPendingInput)
    .output(listOf(approvalSchema))
    .query(({ ctx, input }) => listPending(ctx, input)),

  get: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/approvals/{id}",
        tag,
        summary: "One request, with the active and the proposed version",
      },
    })
    .input(byId)
    .output(approvalSchema)
    .query(({ ctx, input }) => getApproval(ctx, input.id)),

  /** For the browser; the settings themselves are visible only to Admins. */
  workflow: procedureFor("everything:read")
    .output(workflowSchema)
    .query(() => getWorkflow()),

  approve: procedureFor("query-changes:decide")
    .meta({
      audit: "approval",
      auditDetail: queryNameOf,
      rest: {
        method: "POST",
        path: "/approvals/{id}/approve",
        tag,
        summary: "Approve a request and apply it",
        problems: ["conflict"],
      },
    })
    .input(decideInput)
    .output(approvalSchema)
    .mutation(({ ctx, input }) => approve(ctx, input)),

  reject: procedureFor("query-changes:decide")
    .meta({
      audit: "approval",
      auditDetail: queryNameOf,
      rest: {
        method: "POST",
        path: "/approvals/{id}/reject",
        tag,
        summary: "Reject a request; nothing changes",
        problems: ["conflict"],
      },
    })
    .input(decideInput)
    .output(approvalSchema)
    .mutation(({ ctx, input }) => reject(ctx, input)),
});
