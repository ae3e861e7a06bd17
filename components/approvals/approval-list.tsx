"use client";
import { GitPullRequestArrow } from "lucide-react";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useDeferredValue } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { LiveNotice } from "@/components/realtime/live-notice.tsx";
import { SettingsChangeNotice } from "@/components/settings/change-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Pager } from "@/components/ui/pager.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import {
  approvalListInput,
  approvalParameters,
  approvalsPerPage,
  type ShownStatus,
} from "./approval-filter.ts";
import { ApprovalRow } from "./approval-row.tsx";

const choices: { value: ShownStatus; label: string }[] = [
  { value: "Pending", label: "Pending" },
  { value: "Approved", label: "Approved" },
  { value: "Rejected", label: "Rejected" },
  { value: "Superseded", label: "Superseded" },
  { value: "all", label: "All" },
];

/** Requests for approval: those that somebody has to decide, and what became of the others. */
export function ApprovalList() {
  const { href } = useProject();
  const router = useRouter();
  const projectInput = useProjectInput();
  const [filters, set] = useQueryStates(approvalParameters, { clearOnDefault: true });
  // The rows stay until the next ones are there.
  const asked = { status: useDeferredValue(filters.status), page: useDeferredValue(filters.page) };
  const [{ items, totalCount }] = trpc.approvals.list.useSuspenseQuery(
    approvalListInput(projectInput, asked),
    { refetchInterval: 15_000 },
  );
  const hrefOf = (id: number) => href(`/approvals/${id}`);
  const keys = useRowKeys({
    count: items.length,
    ids: items.map(({ id }) => id),
    onOpen: (index) => {
      const opened = items[index];
      if (opened) router.push(hrefOf(opened.id));
    },
  });
  const isPending = asked.status === "Pending";
  return (
    <>
      <PageHeader
        title="Approvals"
        count={totalCount > 0 ? `${formatNumber(totalCount)}${isPending ? " pending" : ""}` : undefined}
        filters={
          <Select
            aria-label="Status"
            className="w-full sm:w-40"
            value={filters.status}
            onValueChange={(status) => void set({ status, page: null })}
            options={choices}
          />
        }
      />
      <LiveNotice />
      <SettingsChangeNotice />
      {items.length > 0 ? (
        <Table label="Requests for approval">
          <Thead>
            <tr>
              {asked.status === "all" && <Th>Status</Th>}
              <Th>Query</Th>
              <Th className="hidden md:table-cell">Change</Th>
              <Th className="hidden sm:table-cell">Requested by</Th>
              <Th numeric className="hidden lg:table-cell">
                Version
              </Th>
              <Th numeric>
                <span className="hidden sm:inline">Subscriptions</span>
                <span className="sm:hidden">Subs.</span>
              </Th>
              <Th>Requested</Th>
              {!isPending && <Th className="hidden lg:table-cell">Decided</Th>}
            </tr>
          </Thead>
          <tbody>
            {items.map((approval, index) => (
              <ApprovalRow
                key={approval.id}
                approval={approval}
                href={hrefOf(approval.id)}
                showsStatus={asked.status === "all"}
                showsDecision={!isPending}
                {...keys.row(index)}
              />
            ))}
          </tbody>
        </Table>
      ) : totalCount > 0 ? (
        <Empty
          title="There is nothing on this page of the list"
          action={<Button onClick={() => void set({ page: null })}>Show the first page</Button>}
        />
      ) : isPending ? (
        <NothingPending onShowAll={() => void set({ status: "all", page: null })} />
      ) : (
        <Empty
          icon={GitPullRequestArrow}
          title={asked.status === "all" ? "No requests yet" : `No ${asked.status.toLowerCase()} requests`}
          action={
            <Button onClick={() => void set({ status: null, page: null })}>Show what is pending</Button>
          }
        >
          With the approval workflow on, edits of a query's SQL, first runs, and archives of queries in use
          are listed here.
        </Empty>
      )}
      <Pager
        page={Math.max(filters.page, 1) - 1}
        pageSize={approvalsPerPage}
        total={totalCount}
        onPageChange={(page) => void set({ page: page + 1 })}
      />
    </>
  );
}

/** What this place is for, and how to begin where nobody has. */
function NothingPending({ onShowAll }: { onShowAll: () => void }) {
  const { href } = useProject();
  const [{ isOn }] = trpc.approvals.workflow.useSuspenseQuery();
  const mayDecide = useMay("query-changes:decide");
  const maySet = useMay("settings:manage");
  const showAll = <Button onClick={onShowAll}>Show decided requests</Button>;
  if (isOn)
    return (
      <Empty icon={GitPullRequestArrow} title="Nothing is waiting" action={showAll}>
        Edits of a query's SQL, first runs of new queries, and archives of queries in use wait here until{" "}
        {mayDecide ? "you or another Admin decides" : "an Admin decides"}. Until then everything runs as
        before.
      </Empty>
    );
  return (
    <Empty
      icon={GitPullRequestArrow}
      title="The approval workflow is off"
      action={
        <>
          {maySet && (
            <ButtonLink href={href("/settings")} variant="primary">
              Switch it on in the settings
            </ButtonLink>
          )}
          {showAll}
        </>
      }
    >
      Edits of queries run at once. With the workflow on, a change of a query's SQL waits here, compared with
      what runs, until an Admin approves or rejects it; the query runs on unchanged meanwhile.
      {!maySet && " An Admin can switch it on in the settings."}
    </Empty>
  );
}
