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
import { approveChange, rejectChange } from "./service/decide.ts";

const tag = "Approvals";

const queryNameOf = ({ queryName }: { queryName: string }) => queryName;

export const approvalsRouter = router({
  list: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/approvals", tag, summary: "List query changes, newest first" } })
    .input(listApprovalsInput)
    .output(approvalPageSchema)
    .query(({ ctx, input }) => listApprovals(ctx, input)),

  pending: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/approvals/pending",
        tag,
        summary: "Query changes that wait for approval",
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
        summary: "One query change, with what runs and what is proposed",
      },
    })
    .input(byId)
    .output(approvalSchema)
    .query(({ ctx, input }) => getApproval(ctx, input.id)),

  /** For the browser: the settings themselves are for Admins. */
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
        summary: "Approve a query change, which runs from then on",
        problems: ["conflict"],
      },
    })
    .input(decideInput)
    .output(approvalSchema)
    .mutation(({ ctx, input }) => approveChange(ctx, input)),

  reject: procedureFor("query-changes:decide")
    .meta({
      audit: "approval",
      auditDetail: queryNameOf,
      rest: {
        method: "POST",
        path: "/approvals/{id}/reject",
        tag,
        summary: "Reject a query change",
        problems: ["conflict"],
      },
    })
    .input(decideInput)
    .output(approvalSchema)
    .mutation(({ ctx, input }) => rejectChange(ctx, input)),
});
