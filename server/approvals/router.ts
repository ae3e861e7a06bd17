import { userReference } from "../auth/schema.ts";
import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import {
  approvalCommentSchema,
  approvalPageSchema,
  approvalSchema,
  commentOnApprovalInput,
  decideInput,
  listApprovalsInput,
  listPendingInput,
  workflowSchema,
} from "./schema.ts";
import { getApproval, getWorkflow, listApprovals, listPending } from "./service/approvals.ts";
import { commentOnApproval, listComments, listPeople } from "./service/comments.ts";
import { acknowledgeDecision, approve, reject } from "./service/decide.ts";

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

  comments: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/approvals/{id}/comments",
        tag,
        summary: "A request's comments, oldest first",
      },
    })
    .input(byId)
    .output(listOf(approvalCommentSchema))
    .query(({ ctx, input }) => listComments(ctx, input.id)),

  comment: procedureFor("queries:configure")
    .meta({
      audit: "approval",
      auditDetail: () => "",
      rest: {
        method: "POST",
        path: "/approvals/{id}/comments",
        tag,
        summary: "Comment on a request",
        description: "Whoever the text mentions as `@name` gets an email.",
        status: 201,
        location: "/approvals/{id}/comments",
      },
    })
    .input(commentOnApprovalInput)
    .output(approvalCommentSchema)
    .mutation(({ ctx, input }) => commentOnApproval(ctx, input)),

  /** For the browser: whom a comment can mention. */
  people: procedureFor("everything:read")
    .output(listOf(userReference))
    .query(({ ctx }) => listPeople(ctx)),

  acknowledge: procedureFor("queries:configure")
    .meta({
      audit: "approval",
      auditDetail: queryNameOf,
      rest: {
        method: "POST",
        path: "/approvals/{id}/acknowledge",
        tag,
        summary: "Mark the decision on your request as read",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(approvalSchema)
    .mutation(({ ctx, input }) => acknowledgeDecision(ctx, input.id)),

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
