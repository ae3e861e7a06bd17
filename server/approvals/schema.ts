import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { byId, identifier, momentOut, pageOf, paging, text } from "../db/schema-parts.ts";
import { approvalKinds, approvalStatuses } from "../queries/approval-kinds.ts";
import { versionSchema } from "../queries/schema.ts";

export const approvalSchema = z
  .object({
    id: identifier,
    kind: z.enum(approvalKinds).meta({
      description:
        "Change: an edit of the steps. FirstRun: a subscription wants to run a query whose steps are not approved. " +
        "Archive: archiving a query that is under review or that subscriptions run",
    }),
    status: z.enum(approvalStatuses),
    queryId: identifier,
    queryName: z.string(),
    projectId: identifier,
    changeSummary: z.string().nullable(),
    requester: userReference.nullable(),
    reviewer: userReference.nullable(),
    comment: z.string().nullable(),
    activeVersion: versionSchema.nullable().meta({
      description: "While pending, the active version; afterwards, the version that it changed",
    }),
    proposedVersion: versionSchema.meta({
      description: "The proposed version. For Archive, the version that was active when it was requested",
    }),
    baseVersion: z.int().meta({
      description: "The number of the version that was edited, or that was active when it was requested",
    }),
    subscriptionCount: z.int().meta({ description: "Number of subscriptions that run the query" }),
    isStale: z.boolean().meta({
      description: "Another version is active now: the change can no longer be approved and has to be redone",
    }),
    createdAt: momentOut,
    decidedAt: momentOut.nullable(),
    isDecisionRead: z.boolean().meta({
      description: "Whether the requester has read the decision; until then, the query's page shows it",
    }),
  })
  .meta({ id: "Approval" });
export type Approval = z.output<typeof approvalSchema>;
export const approvalPageSchema = pageOf(approvalSchema);

export const listApprovalsInput = z.strictObject({
  projectId: identifier.optional(),
  kind: z.enum(approvalKinds).optional(),
  status: z.enum(approvalStatuses).optional(),
  queryId: identifier.optional(),
  requesterId: identifier.optional().meta({ description: "Who requested the change" }),
  search: text(200).optional().meta({
    description: "Each word must be in the query's name or in the summary of the change",
  }),
  ...paging,
});
export const listPendingInput = z.strictObject({ projectId: identifier.optional() });

export const decideInput = byId.extend({ comment: text(4000).nullish() });

export const approvalCommentSchema = z
  .object({ id: identifier, user: userReference, text: z.string(), createdAt: momentOut })
  .meta({ id: "ApprovalComment" });
export const commentOnApprovalInput = byId.extend({
  text: text(4000)
    .trim()
    .min(1, "is required")
    .meta({ description: "Plain text. `@` and a user's name sends that user an email" }),
});

/** What saving an edit will do, shown before it is made. */
export const workflowSchema = z.object({
  isOn: z.boolean(),
  fourEyes: z.boolean(),
});
