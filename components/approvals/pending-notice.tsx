"use client";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Hourglass } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import type { Approval } from "@/server/approvals/schema.ts";
import type { Step } from "@/server/queries/schema.ts";

/** On a query's page: a pending change, who requested it, and when. */
export function PendingNotice({
  approval: { id, requester, proposedVersion, createdAt, isStale, baseVersion, activeVersion },
  onEdit,
}: {
  approval: Approval;
  /** Loads the proposed steps into the editor; null if that would discard something. */
  onEdit: ((steps: readonly Step[]) => void) | null;
}) {
  const { href } = useProject();
  const { user } = useMe();
  const mayDecide = useMay("query-changes:decide");
  const isOwn = requester?.id === user.id;
  const { number, steps } = proposedVersion;
  return (
    <section
      aria-label="Waits for approval"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-warning/50 bg-warning-soft px-3 py-2"
    >
      <Hourglass aria-hidden className="size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 basis-64">
        <strong>{isOwn ? "Your change" : `A change by ${requester?.name ?? "the service"}`}</strong> waits for
        approval: version {number}, requested <Moment at={createdAt} />.{" "}
        {isStale
          ? `It is based on version ${baseVersion}, and version ${activeVersion?.number} is active now: it can only be rejected or redone.`
          : `Version ${activeVersion?.number ?? baseVersion} keeps running until a decision is made.`}
      </p>
      {isOwn && onEdit && (
        <Button size="sm" onClick={() => onEdit(steps)}>
          Keep editing
        </Button>
      )}
      <ButtonLink size="sm" href={href(`/approvals/${id}`)}>
        {mayDecide ? "Compare and decide" : "See the change"}
      </ButtonLink>
    </section>
  );
}
