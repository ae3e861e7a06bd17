"use client";
import { useProject, useProjects } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { FileCode2 } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import type { Approval } from "@/server/approvals/schema.ts";
import { ApprovalStatus } from "./approval-status.tsx";
import { kindWords } from "./kind-words.ts";

/** Which query, who requested it, when, why, and its status. */
export function ApprovalHeader({ approval }: { approval: Approval }) {
  const { project, href } = useProject();
  const { projects, nameOf } = useProjects();
  const { kind, status, queryId, queryName, projectId, proposedVersion, requester, changeSummary } = approval;
  const { badge, title } = kindWords[kind];
  // While pending, the number of affected subscriptions may change; afterwards, the stored summary applies.
  const says = badge && status === "Pending" ? title(approval) : changeSummary;
  const queryHref = href(`/queries/${queryId}`);
  // An archived query no longer has a page.
  const isArchived = kind === "Archive" && status === "Approved";
  return (
    <>
      <PageHeader
        parent={{ href: href("/approvals"), label: "Approvals" }}
        title={
          isArchived ? (
            queryName
          ) : (
            <Link href={queryHref} className="hover:underline">
              {queryName}
            </Link>
          )
        }
        description={
          <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-3">
            <ApprovalStatus status={status} />
            {badge && <Badge>{badge}</Badge>}
            {approval.isStale && <Badge tone="warning">stale</Badge>}
            {project === null && projects.length > 1 && <span>{nameOf(projectId)}</span>}
            <span>
              version <span className="tabular-nums">{proposedVersion.number}</span>, requested by{" "}
              <span className="text-ink-2">{requester?.name ?? "the service"}</span>{" "}
              <Moment at={approval.createdAt} />
            </span>
          </span>
        }
        actions={
          !isArchived && (
            <ButtonLink href={queryHref} icon={FileCode2}>
              Open query
            </ButtonLink>
          )
        }
      />
      {says && <p className="max-w-prose pb-4 text-base break-words whitespace-pre-wrap">{says}</p>}
    </>
  );
}
