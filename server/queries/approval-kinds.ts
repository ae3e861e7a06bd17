/**
 * What waits for approval while the workflow is on, and what becomes of a request. A decision ends it once; so does
 * whatever happens to the query that makes it pointless.
 */

export const approvalKinds = ["Change", "FirstRun", "Archive"] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalStatuses = ["Pending", "Approved", "Rejected", "Superseded"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** What happens to a query, besides a decision. */
export type QueryOccurrence = "edited again" | "other version active" | "run without approval" | "archived";

type Kind = {
  /** What the request is for, in a few words. */
  means: string;
  /** What leaves nothing to decide. */
  supersededBy: readonly QueryOccurrence[];
};

export const kindRules: Record<ApprovalKind, Kind> = {
  /** A change that was made from a version that no longer runs is stale, not superseded: it can still be rejected. */
  Change: { means: "An edit of the query's steps", supersededBy: ["edited again"] },
  FirstRun: {
    means: "A subscription runs a query whose steps nobody has approved",
    supersededBy: ["other version active", "run without approval", "archived"],
  },
  /** The query is archived with the subscriptions that it has by then, whichever version runs. */
  Archive: {
    means: "The query is archived while it is under review or subscriptions run it",
    supersededBy: ["archived"],
  },
};

/** The kinds of requests that such an occurrence ends. */
export const kindsSupersededBy = (occurrence: QueryOccurrence): ApprovalKind[] =>
  approvalKinds.filter((kind) => kindRules[kind].supersededBy.includes(occurrence));
