"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { LiveNotice } from "@/components/realtime/live-notice.tsx";
import { SettingsChangeNotice } from "@/components/settings/change-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { GitPullRequestArrow } from "@/components/ui/icons.tsx";
import type { Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { Select } from "@/components/ui/select.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { approvalListInput, approvalParameters, type ShownStatus } from "./approval-filter.ts";
import { ApprovalRow } from "./approval-row.tsx";

const choices: { value: ShownStatus; label: string }[] = [
  { value: "Pending", label: "Pending" },
  { value: "Approved", label: "Approved" },
  { value: "Rejected", label: "Rejected" },
  { value: "Superseded", label: "Superseded" },
  { value: "all", label: "All" },
];

/** Approval requests: pending ones and their outcomes. */
export function ApprovalList() {
  const { href } = useProject();
  const project = useProjectInput();
  const mayDecide = useMay("query-changes:decide");
  const maySet = useMay("settings:manage");
  const list = useListFilters(approvalParameters, (filters) => approvalListInput(project, filters));
  const { status } = list.filters;
  const [page] = trpc.approvals.list.useSuspenseQuery(list.input, { refetchInterval: 15_000 });
  const [{ isOn }] = trpc.approvals.workflow.useSuspenseQuery();
  const hrefOf = ({ id }: { id: number }) => href(`/approvals/${id}`);
  // The columns match the rows shown, which stay until the next ones have loaded.
  const shown = list.input.status;
  const isPending = shown === "Pending";
  const columns: Columns = [
    shown === undefined && { title: "Status" },
    { title: "Query" },
    { title: "Change", from: "md" },
    { title: "Requested by", from: "sm" },
    { title: "Version", numeric: true, from: "lg" },
    {
      title: (
        <>
          <span className="hidden sm:inline">Subscriptions</span>
          <span className="sm:hidden">Subs.</span>
        </>
      ),
      numeric: true,
    },
    { title: "Requested" },
    !isPending && { title: "Decided", from: "lg" },
  ];
  const showAll = <Button onClick={() => list.set({ status: "all" })}>Show decided requests</Button>;
  return (
    <ListPage
      title="Approvals"
      label="Requests for approval"
      things="requests"
      columns={columns}
      rows={page.items}
      page={page}
      // Each status has its own empty state.
      list={{ ...list, isFiltered: false }}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      count={`${formatNumber(page.totalCount)}${isPending ? " pending" : ""}`}
      keepsFilters
      filters={
        <Select
          aria-label="Status"
          className="w-full sm:w-40"
          value={status}
          onValueChange={(chosen) => list.set({ status: chosen })}
          options={choices}
        />
      }
      notices={
        <>
          <LiveNotice />
          <SettingsChangeNotice />
        </>
      }
      empty={
        !isPending
          ? {
              icon: GitPullRequestArrow,
              title: shown === undefined ? "No requests yet" : `No ${shown.toLowerCase()} requests`,
              action: <Button onClick={() => list.set({ status: null })}>Show pending requests</Button>,
              children:
                "With the approval workflow on, edits to a query's SQL, first runs, and archiving of queries in use are listed here.",
            }
          : isOn
            ? {
                icon: GitPullRequestArrow,
                title: "No pending requests",
                action: showAll,
                children: `Edits to a query's SQL, first runs of new queries, and archiving of queries in use wait here until ${
                  mayDecide ? "you or another Admin decides" : "an Admin decides"
                }. Until then, everything runs as before.`,
              }
            : {
                icon: GitPullRequestArrow,
                title: "The approval workflow is off",
                action: (
                  <>
                    {maySet && (
                      <ButtonLink href={href("/settings")} variant="primary">
                        Turn it on in settings
                      </ButtonLink>
                    )}
                    {showAll}
                  </>
                ),
                children: `Query edits take effect right away. With the workflow on, a change to a query's SQL waits here, compared with the active version, until an Admin approves or rejects it. Meanwhile the active version keeps running.${
                  maySet ? "" : "  An Admin can turn it on in settings."
                }`,
              }
      }
    >
      {(approval, row) => (
        <ApprovalRow
          approval={approval}
          href={hrefOf(approval)}
          showsStatus={shown === undefined}
          showsDecision={!isPending}
          {...row}
        />
      )}
    </ListPage>
  );
}
