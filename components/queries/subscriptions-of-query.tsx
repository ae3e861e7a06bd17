"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { Schedule } from "@/components/cron/schedule.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { ApprovalBadge } from "@/components/subscriptions/approval-badge.tsx";
import { conditionWords } from "@/components/subscriptions/condition-words.ts";
import { NotRunYet, Outcome } from "@/components/subscriptions/outcome.tsx";
import { type Outputs, trpc } from "@/components/trpc/client.tsx";
import { Loading } from "@/components/trpc/loading.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { BellPlus } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { type Columns, List } from "@/components/ui/list.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { RowProps } from "@/components/ui/use-row-keys.ts";
import { subscribePath } from "./subscribe-path.ts";

const shownAtMost = 500;

const columns: Columns = [
  { title: "Schedule" },
  { title: "Last run" },
  { title: "Notifies", from: "md" },
  { title: "Next run", from: "md" },
];

/** The query's subscriptions and their last runs. */
export function SubscriptionsOfQuery({ queryId }: { queryId: number }) {
  const { href, project } = useProject();
  const maySubscribe = useMay("subscriptions:configure");
  const list = trpc.subscriptions.list.useQuery(
    { queryId, pageSize: shownAtMost },
    { refetchInterval: 30_000 },
  );
  if (!list.data)
    return <Loading query={list} title="The subscriptions could not be loaded" rows={3} columns={4} />;
  const hrefOf = ({ id }: { id: number }) => href(`/subscriptions/${id}`);
  return (
    <List
      label="Subscriptions of this query"
      things="subscriptions"
      columns={columns}
      rows={list.data.items}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      empty={
        <Empty
          title="No subscriptions yet"
          action={
            maySubscribe && (
              <ButtonLink href={subscribePath(queryId, project)} variant="primary" icon={BellPlus}>
                Subscribe
              </ButtonLink>
            )
          }
        >
          A subscription runs this query on a schedule, evaluates the result, and notifies people.
        </Empty>
      }
    >
      {(subscription, row) => (
        <SubscriptionOfQuery subscription={subscription} href={hrefOf(subscription)} {...row} />
      )}
    </List>
  );
}

function SubscriptionOfQuery({
  subscription: { name, cronExpression, timezone, enabled, approval, lastExecution, condition, nextRunAt },
  href,
  ...row
}: { subscription: Outputs["subscriptions"]["list"]["items"][number]; href: string } & RowProps) {
  const schedule = <Schedule expression={cronExpression} timezone={timezone} />;
  return (
    <Tr {...row}>
      <Td>
        <Link href={href} className="font-medium hover:underline">
          {name ?? schedule}
        </Link>
        {name !== null && <span className="pl-2 text-ink-2">{schedule}</span>}
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
  );
}
