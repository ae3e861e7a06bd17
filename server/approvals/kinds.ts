import type { Transaction } from "../db/client.ts";
import type { ApprovalKind } from "../queries/approval-kinds.ts";
import type { ApprovalRequest } from "../queries/service/approval-requests.ts";
import { archiveApproved } from "../queries/service/archive.ts";
import { markReviewed } from "../queries/service/first-runs.ts";
import { activateVersion, rejectVersion } from "../queries/service/versions.ts";

type Decided = Pick<ApprovalRequest, "queryId" | "number" | "baseNumber" | "requesterId" | "authorId">;

/** What a decision about a request of a kind looks at, and what it does. The query is held. */
type Kind = {
  /** Whose work it is: under four eyes none of them approves it. */
  people: (request: Decided) => (number | null)[];
  /** Why it cannot be approved by now, when another version is active; null where it can. */
  staleBecause: (request: Decided, active: number | null) => string | null;
  approve: (tx: Transaction, request: Decided) => Promise<void>;
  reject: (tx: Transaction, request: Decided) => Promise<void>;
};

/** Rejecting something that has not happened leaves everything as it is. */
const nothing = async () => {};

/** Every kind of request, by what it comes to; `queries/approval-kinds.ts` has what else ends one. */
export const kinds: Record<ApprovalKind, Kind> = {
  Change: {
    people: ({ requesterId }) => [requesterId],
    staleBecause: ({ baseNumber }, active) =>
      active === baseNumber
        ? null
        : `The query was changed in the meantime: its active version is ${active}, and this change was made to version ${baseNumber}`,
    approve: activateVersion,
    reject: rejectVersion,
  },
  FirstRun: {
    // Who asks for a subscription vouches for the schedule; what runs is its author's.
    people: ({ requesterId, authorId }) => [requesterId, authorId],
    staleBecause: ({ number }, active) =>
      active === number
        ? null
        : `Version ${number} of the query no longer runs: its active version is ${active}`,
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
