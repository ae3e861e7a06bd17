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
        "Change: an edit of the steps. FirstRun: subscriptions are to run a query whose steps nobody has approved. " +
        "Archive: the query is to be archived while it is under review or subscriptions run it",
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
      description: "While it is pending the version that runs; afterwards the one that it changed",
    }),
    proposedVersion: versionSchema.meta({
      description:
        "The version that is to run; of an Archive, the one that ran when it was requested, and is to run no more",
    }),
    baseVersion: z
      .int()
      .meta({ description: "The number of the version that was edited, or that ran when it was requested" }),
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
  kind: z.enum(approvalKinds).optional(),
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
