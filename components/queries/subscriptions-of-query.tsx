"use client";
import { BellPlus } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useMay } from "@/components/auth/use-me.ts";
import { scheduleWords } from "@/components/cron/schedule-words.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { ApprovalBadge } from "@/components/subscriptions/approval-badge.tsx";
import { conditionWords } from "@/components/subscriptions/condition-words.ts";
import { NotRunYet, Outcome } from "@/components/subscriptions/outcome.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { SkeletonRows } from "@/components/ui/skeleton.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import { subscribePath } from "./subscribe-path.ts";

const shownAtMost = 500;

/** What runs the query, and how it went the last time. */
export function SubscriptionsOfQuery({ queryId }: { queryId: number }) {
  const { href, project } = useProject();
  const router = useRouter();
  const maySubscribe = useMay("subscriptions:configure");
  const list = trpc.subscriptions.list.useQuery(
    { queryId, pageSize: shownAtMost },
    { refetchInterval: 30_000 },
  );
  const items = list.data?.items ?? [];
  const hrefOf = (id: number) => href(`/subscriptions/${id}`);
  const keys = useRowKeys({
    count: items.length,
    onOpen: (index) => {
      const opened = items[index];
      if (opened) router.push(hrefOf(opened.id));
    },
  });
  if (list.error && !list.data)
    return (
      <ErrorState
        title="The subscriptions could not be loaded"
        message={factsOf(list.error).message}
        requestId={factsOf(list.error).requestId}
        onRetry={() => list.refetch()}
        pending={list.isFetching}
      />
    );
  if (!list.data) return <SkeletonRows rows={3} columns={4} />;
  if (items.length === 0)
    return (
      <Empty
        title="Nothing runs this query yet"
        action={
          maySubscribe && (
            <ButtonLink href={subscribePath(queryId, project)} variant="primary" icon={BellPlus}>
              Subscribe
            </ButtonLink>
          )
        }
      >
        A subscription runs it on a schedule, judges what comes back, and tells people.
      </Empty>
    );
  return (
    <Table label="Subscriptions of this query">
      <Thead>
        <tr>
          <Th>Schedule</Th>
          <Th>Last run</Th>
          <Th className="hidden md:table-cell">Tells people</Th>
          <Th className="hidden md:table-cell">Next run</Th>
        </tr>
      </Thead>
      <tbody>
        {items.map(
          (
            { id, cronExpression, timezone, enabled, approval, lastExecution, condition, nextRunAt },
            index,
          ) => (
            <Tr key={id} {...keys.row(index)}>
              <Td>
                <Link href={hrefOf(id)} className="font-medium hover:underline">
                  {scheduleWords(cronExpression) ?? cronExpression}
                </Link>
                {timezone !== "UTC" && <span className="pl-2 text-ink-3">{timezone}</span>}
                {!enabled && <Badge className="ml-2">disabled</Badge>} <ApprovalBadge approval={approval} />
              </Td>
              <Td className="whitespace-nowrap">
                {lastExecution ? (
                  <span className="inline-flex flex-wrap items-center gap-x-2">
                    <Outcome outcome={lastExecution.outcome} />
                    <Moment at={lastExecution.executedAt} className="text-xs text-ink-3" />
                  </span>
                ) : (
                  <NotRunYet />
                )}
              </Td>
              <Td className="hidden text-ink-2 md:table-cell">{conditionWords(condition)}</Td>
              <Td className="hidden whitespace-nowrap text-ink-2 md:table-cell">
                {enabled ? <Moment at={nextRunAt} fallback="–" /> : "–"}
              </Td>
            </Tr>
          ),
        )}
      </tbody>
    </Table>
  );
}
