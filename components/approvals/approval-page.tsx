"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { StepsDiff } from "@/components/queries/steps-diff.tsx";
import { SubscriptionsOfQuery } from "@/components/queries/subscriptions-of-query.tsx";
import { LiveNotice } from "@/components/realtime/live-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { plural } from "@/components/ui/format.ts";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Approval } from "@/server/approvals/schema.ts";
import { ApprovalComments } from "./approval-comments.tsx";
import { ApprovalHeader } from "./approval-header.tsx";
import { CompareResults } from "./compare-results.tsx";
import { DecisionFooter } from "./decision-footer.tsx";
import { ShownSteps } from "./shown-steps.tsx";

/** An approval request: what changes, the effect, and the decision. */
export function ApprovalPage({ id }: { id: number }) {
  const [approval, { error }] = trpc.approvals.get.useSuspenseQuery({ id }, { refetchInterval: 15_000 });
  const { kind, queryId, projectId, activeVersion, proposedVersion, status } = approval;
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery({ projectId });
  const mayRun = useMay("queries:run");
  const isGone = error?.data?.code === "NOT_FOUND";
  const before = activeVersion && {
    label: `version ${activeVersion.number} ${status === "Pending" ? "(runs)" : "(before)"}`,
    version: activeVersion.number,
    steps: activeVersion.steps,
  };
  const after = {
    label: `version ${proposedVersion.number} (${status === "Pending" ? "proposed" : status.toLowerCase()})`,
    version: proposedVersion.number,
    steps: proposedVersion.steps,
  };
  return (
    <>
      <ApprovalHeader approval={approval} />
      <LiveNotice />
      {isGone && <GoneNotice />}
      <div className="flex flex-col gap-8">
        {kind !== "Change" ? (
          <section aria-label={kind === "FirstRun" ? "What would run" : "What would be archived"}>
            <h2 className="sr-only">{kind === "FirstRun" ? "What would run" : "What would be archived"}</h2>
            <ShownSteps steps={proposedVersion.steps} sources={sources} />
          </section>
        ) : (
          before && (
            <section aria-label="What is changed">
              <h2 className="sr-only">What is changed</h2>
              <StepsDiff before={before} after={after} sources={sources} />
            </section>
          )
        )}
        {kind === "Change" && before && mayRun && (
          <CompareResults queryId={queryId} before={before} after={after} />
        )}
        {!(kind === "Archive" && status === "Approved") && <AffectedSubscriptions approval={approval} />}
        {!isGone && <ApprovalComments approvalId={id} />}
      </div>
      {!isGone && <DecisionFooter approval={approval} />}
    </>
  );
}

function AffectedSubscriptions({
  approval: { kind, queryId, subscriptionCount, status, isStale },
}: {
  approval: Approval;
}) {
  const isOpen = status === "Pending" && !isStale;
  return (
    <section aria-label="Subscriptions" className="flex flex-col gap-2">
      <h2 className="text-base font-semibold tracking-tight">
        {subscriptionCount === 0
          ? "No subscription runs this query"
          : isOpen
            ? `${plural(subscriptionCount, "subscription")} would ${kind === "Archive" ? "be archived with it" : "run it"}`
            : `${plural(subscriptionCount, "subscription")} of the query`}
      </h2>
      {subscriptionCount === 0 ? (
        <p className="text-ink-2">
          {isOpen
            ? "The decision changes nothing else: the query runs only when someone runs it."
            : "The query runs only when someone runs it."}
        </p>
      ) : (
        <SubscriptionsOfQuery queryId={queryId} />
      )}
    </section>
  );
}

function GoneNotice() {
  const { href } = useProject();
  return (
    <p role="alert" className="mb-4 flex items-start gap-2 rounded-md border bg-sunken px-3 py-2">
      <StatusIcon kind="neutral" className="mt-0.5" />
      <span>
        The query was archived with its pending changes, so there is nothing left to decide.{" "}
        <a href={href("/approvals")} className="text-accent underline">
          Other changes
        </a>
      </span>
    </p>
  );
}
