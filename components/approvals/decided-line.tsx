"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { ArrowRight } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import type { Approval } from "@/server/approvals/schema.ts";
import { ApprovalStatus } from "./approval-status.tsx";
import { kindWords } from "./kind-words.ts";

/** What was decided, by whom, when, and why; and a link to the next pending change. */
export function DecidedLine({ approval }: { approval: Approval }) {
  const { kind, status, reviewer, decidedAt, comment } = approval;
  const words = kindWords[kind];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div role="status" className="mr-auto min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <ApprovalStatus status={status} />
          {status === "Superseded" ? (
            <span className="text-ink-2">{words.superseded}</span>
          ) : (
            <span className="text-ink-2">
              by {reviewer?.name ?? "the service"}, <Moment at={decidedAt} />:{" "}
              {status === "Approved" ? words.approved(approval) : words.rejected}
            </span>
          )}
        </p>
        {comment && <p className="max-w-prose pt-1 break-words whitespace-pre-wrap">“{comment}”</p>}
      </div>
      <Next />
    </div>
  );
}

function Next() {
  const { href } = useProject();
  const mayDecide = useMay("query-changes:decide");
  const list = trpc.approvals.list.useQuery(
    { ...useProjectInput(), status: "Pending", pageSize: 1 },
    { enabled: mayDecide },
  );
  const next = list.data?.items[0];
  if (!next) return null;
  return (
    <ButtonLink href={href(`/approvals/${next.id}`)}>
      {list.data?.totalCount === 1 ? "Another one is waiting" : `${list.data?.totalCount} more are waiting`}
      <ArrowRight aria-hidden className="size-4 shrink-0" />
    </ButtonLink>
  );
}
