/**
 * What needs approval while the workflow is on, and what ends a request. It ends once: by a decision, or by an event of
 * its query that makes it obsolete.
 */

export const approvalKinds = ["Change", "FirstRun", "Archive"] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalStatuses = ["Pending", "Approved", "Rejected", "Superseded"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** Events of a query other than decisions. */
export type QueryOccurrence = "edited again" | "other version active" | "run without approval" | "archived";

type Kind = {
  /** What the request is for, in a few words. */
  means: string;
  /** The events that make the request obsolete. */
  supersededBy: readonly QueryOccurrence[];
};

export const kindRules: Record<ApprovalKind, Kind> = {
  /** A change based on a version that no longer runs is stale, not superseded: it can still be rejected. */
  Change: { means: "An edit of the query's steps", supersededBy: ["edited again"] },
  FirstRun: {
    means: "A subscription runs a query whose steps are not approved",
    supersededBy: ["other version active", "run without approval", "archived"],
  },
  /** The query is archived with the subscriptions that it has at the time of approval, whichever version runs. */
  Archive: {
    means: "The query is archived while it is under review or subscriptions run it",
    supersededBy: ["archived"],
  },
};

/** The kinds of requests that this event ends. */
export const kindsSupersededBy = (occurrence: QueryOccurrence): ApprovalKind[] =>
  approvalKinds.filter((kind) => kindRules[kind].supersededBy.includes(occurrence));
