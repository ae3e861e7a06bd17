"use client";
import type { ComponentProps } from "react";
import { useProject, useProjects } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Count } from "@/components/ui/count.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { Approval } from "@/server/approvals/schema.ts";
import { ApprovalStatus } from "./approval-status.tsx";
import { kindWords } from "./kind-words.ts";

/** One request: which query, what kind, who requested it, and how long ago. */
export function ApprovalRow({
  approval,
  href,
  showsStatus,
  showsDecision,
  ...row
}: {
  approval: Approval;
  href: string;
  showsStatus: boolean;
  showsDecision: boolean;
} & Omit<ComponentProps<"tr">, "children">) {
  const { project } = useProject();
  const { projects, nameOf } = useProjects();
  const { queryName, changeSummary, requester, baseVersion, proposedVersion, reviewer } = approval;
  const who = requester?.name ?? "The service";
  const { badge } = kindWords[approval.kind];
  const isChange = approval.kind === "Change";
  return (
    <Tr {...row}>
      {showsStatus && (
        <Td className="whitespace-nowrap">
          <ApprovalStatus status={approval.status} />
        </Td>
      )}
      <Td className="w-1/2 max-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <Link href={href} className="truncate font-medium hover:underline" title={queryName}>
            {queryName}
          </Link>
          {project === null && projects.length > 1 && (
            <span className="hidden truncate text-xs text-ink-3 xl:inline">{nameOf(approval.projectId)}</span>
          )}
          {badge && <Badge className="shrink-0">{badge}</Badge>}
          {approval.isStale && (
            <Badge tone="warning" className="shrink-0">
              stale
            </Badge>
          )}
        </span>
        <span className="block truncate text-xs text-ink-3 md:hidden" title={changeSummary ?? undefined}>
          {changeSummary}
        </span>
        <span className="block truncate text-xs text-ink-3 sm:hidden">{who}</span>
      </Td>
      <Td
        className="hidden w-1/2 max-w-0 truncate text-ink-2 md:table-cell"
        title={changeSummary ?? undefined}
      >
        {changeSummary ?? <span className="text-ink-3">–</span>}
      </Td>
      <Td className="hidden max-w-40 truncate text-ink-2 sm:table-cell" title={who}>
        {who}
      </Td>
      <Td
        numeric
        className="hidden text-ink-2 lg:table-cell"
        title={`Version ${proposedVersion.number}${isChange ? `, made from version ${baseVersion}` : ""}`}
      >
        {isChange ? `${baseVersion} → ${proposedVersion.number}` : proposedVersion.number}
      </Td>
      <Td numeric>
        <Count value={approval.subscriptionCount} />
      </Td>
      <Td className="whitespace-nowrap text-ink-2">
        <Moment at={approval.createdAt} />
      </Td>
      {showsDecision && (
        <Td className="hidden whitespace-nowrap text-ink-2 lg:table-cell">
          {approval.decidedAt ? (
            <>
              <Moment at={approval.decidedAt} />
              {reviewer && (
                <>
                  {" "}
                  by <Name>{reviewer.name}</Name>
                </>
              )}
            </>
          ) : (
            <span className="text-ink-3">–</span>
          )}
        </Td>
      )}
    </Tr>
  );
}
