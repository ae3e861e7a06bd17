"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { Link } from "@/components/ui/link.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { Action } from "@/server/actors/schema.ts";

/** The result of an action: done, with a link to what it created, or failed, with the reason. */
export function ActionResult({ action, isRunning = false }: { action: Action; isRunning?: boolean }) {
  const { status, error, result } = action;
  if (status === "Proposed") return isRunning ? <Status kind="running">Queued</Status> : null;
  if (status === "Declined")
    return (
      <span className="min-w-0">
        <Status kind="neutral">Declined</Status>{" "}
        <span className="align-middle break-words text-ink-2">{error}</span>
      </span>
    );
  if (status === "Failed")
    return (
      <span className="min-w-0">
        <Status kind="critical">Failed</Status>{" "}
        <span className="align-middle break-words text-critical">{error}</span>
      </span>
    );
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-3">
      <Status kind="ok">Done</Status>
      {result?.pendingVersion !== undefined && (
        <span className="text-ink-2">Version {result.pendingVersion} waits for approval.</span>
      )}
      {result?.approvalId !== undefined && (
        <>
          <span className="text-ink-2">It waits for approval.</span>
          <ResultLink path={`/approvals/${result.approvalId}`}>Open request</ResultLink>
        </>
      )}
      {result?.contractId !== undefined && (
        <ResultLink path={`/data-quality/contracts/${result.contractId}`}>Open contract</ResultLink>
      )}
      {result?.subscriptionId !== undefined && action.kind !== "ArchiveSubscription" ? (
        <ResultLink path={`/subscriptions/${result.subscriptionId}`}>Open subscription</ResultLink>
      ) : (
        result?.queryId !== undefined &&
        action.kind !== "ArchiveQuery" && (
          <ResultLink path={`/queries/${result.queryId}`}>Open query</ResultLink>
        )
      )}
    </span>
  );
}

function ResultLink({ path, children }: { path: string; children: string }) {
  const { href } = useProject();
  return (
    <Link href={href(path)} className="text-accent underline">
      {children}
    </Link>
  );
}
