import type { Transaction } from "../db/client.ts";
import type { ApprovalKind } from "../queries/approval-kinds.ts";
import type { ApprovalRequest } from "../queries/service/approval-requests.ts";
import { archiveApproved } from "../queries/service/archive.ts";
import { markReviewed } from "../queries/service/first-runs.ts";
import { activateVersion, rejectVersion } from "../queries/service/versions.ts";

type Decided = Pick<ApprovalRequest, "queryId" | "number" | "baseNumber" | "requesterId" | "authorId">;

/** What a decision about each kind of request checks and does. The query is locked. */
type Kind = {
  /** The authors of the work: with four eyes on, none of them can approve it. */
  people: (request: Decided) => (number | null)[];
  /** Why it can no longer be approved, because another version is active; null if it can. */
  staleBecause: (request: Decided, active: number | null) => string | null;
  approve: (tx: Transaction, request: Decided) => Promise<void>;
  reject: (tx: Transaction, request: Decided) => Promise<void>;
};

/** Rejecting something that has not happened yet changes nothing. */
const nothing = async () => {};

/** Every kind of request by its effect; `queries/approval-kinds.ts` lists what else closes one. */
export const kinds: Record<ApprovalKind, Kind> = {
  Change: {
    people: ({ requesterId }) => [requesterId],
    staleBecause: ({ baseNumber }, active) =>
      active === baseNumber
        ? null
        : `The query has changed: its active version is ${active}, but this change is based on version ${baseNumber}`,
    approve: activateVersion,
    reject: rejectVersion,
  },
  FirstRun: {
    // The requester of a subscription is responsible for its schedule; the query's author for the SQL.
    people: ({ requesterId, authorId }) => [requesterId, authorId],
    staleBecause: ({ number }, active) =>
      active === number
        ? null
        : `Version ${number} of the query is no longer active: the active version is ${active}`,
    approve: (tx, { queryId }) => markReviewed(tx, queryId),
    reject: nothing,
  },
  Archive: {
    people: ({ requesterId }) => [requesterId],
    staleBecause: () => null,
    approve: (tx, { queryId }) => archiveApproved(tx, queryId),
    reject: nothing,
  },
};
