import { plural } from "@/components/ui/format.ts";
import type { Approval } from "@/server/approvals/schema.ts";
import type { ApprovalKind } from "@/server/queries/approval-kinds.ts";

type Facts = Pick<Approval, "queryName" | "subscriptionCount" | "proposedVersion" | "baseVersion">;

type Words = {
  /** Shown next to the query's name in a list; null for the usual kind. */
  badge: string | null;
  /** What is requested, above the details. */
  title: (facts: Facts) => string;
  /** What approving will do. */
  consequence: (facts: Facts) => string;
  /** The result of each decision, and why a request was closed without one. */
  approved: (facts: Facts) => string;
  rejected: string;
  superseded: string;
  /** The notice on the query's page while the request is pending. */
  waits: string;
};

const run = (count: number) => `${plural(count, "subscription runs", "subscriptions run")} it`;

/** The wording for each kind of request. */
export const kindWords: Record<ApprovalKind, Words> = {
  Change: {
    badge: null,
    title: ({ proposedVersion }) => `Run version ${proposedVersion.number}`,
    consequence: ({ proposedVersion, baseVersion, subscriptionCount: count }) =>
      `Once it is approved, version ${proposedVersion.number} runs instead of version ${baseVersion}${count > 0 ? `, in ${plural(count, "subscription")}` : ""}.`,
    approved: ({ proposedVersion }) => `version ${proposedVersion.number} took over`,
    rejected: "the active version is unchanged",
    superseded: "Replaced by a later change by the same person.",
    waits: "A change",
  },
  FirstRun: {
    badge: "First run",
    title: ({ queryName }) => `Run “${queryName}” on a schedule for the first time`,
    consequence: ({ subscriptionCount: count }) =>
      count === 0
        ? "Once it is approved, subscriptions may run this SQL. None do at the moment."
        : `Once it is approved, ${run(count)} on schedule. Until then, nothing runs.`,
    approved: () => "its subscriptions run from then on",
    rejected: "its subscriptions do not run",
    superseded: "Nothing is left to approve: another version was approved, or the query was archived.",
    waits: "Its first run on a schedule",
  },
  Archive: {
    badge: "Archive",
    title: ({ queryName, subscriptionCount: count }) =>
      `Archive “${queryName}”${count > 0 ? ` with ${plural(count, "subscription")}` : ""}`,
    consequence: ({ subscriptionCount: count }) =>
      count === 0
        ? "Once it is approved, the query is archived, and what waits for approval with it."
        : `Once it is approved, the query and ${plural(count, "subscription")} are archived: nothing runs and nobody is notified. Until then, ${run(count)} as before.`,
    approved: () => "the query was archived",
    rejected: "the query stays as it is",
    superseded: "The query was archived in another way.",
    waits: "Archiving it",
  },
};
