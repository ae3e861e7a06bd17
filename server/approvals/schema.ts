import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { byId, identifier, momentOut, pageOf, paging, text } from "../db/schema-parts.ts";
import { versionSchema } from "../queries/schema.ts";

export const approvalStatuses = ["Pending", "Approved", "Rejected", "Superseded"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export const approvalSchema = z
  .object({
    id: identifier,
    status: z.enum(approvalStatuses),
    queryId: identifier,
    queryName: z.string(),
    projectId: identifier,
    changeSummary: z.string().nullable(),
    requester: userReference.nullable(),
    reviewer: userReference.nullable(),
    comment: z.string().nullable(),
    activeVersion: versionSchema.nullable().meta({
      description: "While it is pending the version that runs; afterwards the one that it changed",
    }),
    proposedVersion: versionSchema,
    baseVersion: z.int().meta({ description: "The number of the version that was edited" }),
    subscriptionCount: z.int().meta({ description: "How many subscriptions run the query" }),
    isStale: z.boolean().meta({
      description: "Another version runs by now: it cannot be approved, and has to be made anew",
    }),
    createdAt: momentOut,
    decidedAt: momentOut.nullable(),
  })
  .meta({ id: "Approval" });
export type Approval = z.output<typeof approvalSchema>;
export const approvalPageSchema = pageOf(approvalSchema);

export const listApprovalsInput = z.strictObject({
  projectId: identifier.optional(),
  status: z.enum(approvalStatuses).optional(),
  queryId: identifier.optional(),
  requesterId: identifier.optional().meta({ description: "Who has asked for the change" }),
  search: text(200).optional().meta({
    description: "Each word must be in the query's name or in the summary of the change",
  }),
  ...paging,
});
export const listPendingInput = z.strictObject({ projectId: identifier.optional() });

export const decideInput = byId.extend({ comment: text(4000).nullish() });

/** What an edit of a query comes to, for whoever is about to make one. */
export const workflowSchema = z.object({
  isOn: z.boolean(),
  fourEyes: z.boolean(),
});
