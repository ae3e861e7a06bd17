"use client";
import type { ComponentProps } from "react";
import { Schedule } from "@/components/cron/schedule.tsx";
import { isSilenced } from "@/components/silences/silence-words.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { RecentValues, Subscription } from "@/server/subscriptions/schema.ts";
import { ApprovalBadge } from "./approval-badge.tsx";
import { conditionWords, parameterWords } from "./condition-words.ts";
import { incidentWords } from "./incident-words.ts";
import { NotRunYet, Outcome } from "./outcome.tsx";
import { RecentChart } from "./recent-chart.tsx";
import { SubscriptionMenu } from "./subscription-menu.tsx";

/** One subscription: whether it works, its last outcome, and its next run. */
export function SubscriptionRow({
  subscription,
  href,
  recent,
  ...row
}: {
  subscription: Subscription;
  recent: RecentValues | undefined;
  href: string;
} & Omit<ComponentProps<"tr">, "children">) {
  const { title, name, queryName, parameters, enabled, incidents, lastExecution, timezone, condition } =
    subscription;
  const silenced = isSilenced(subscription, useNow());
  const schedule = <Schedule expression={subscription.cronExpression} timezone={timezone} />;
  const given = Object.entries(parameters);
  return (
    <Tr {...row} className={cn(incidents.length > 0 && "bg-critical-soft hover:bg-critical-soft")}>
      <Td className="w-full max-w-0 md:min-w-56">
        <span className="flex flex-wrap items-baseline gap-x-2 md:flex-nowrap">
          <Link href={href} className="max-w-full truncate font-medium hover:underline" title={title}>
            {title}
          </Link>
          {name !== null && (
            <span className="hidden min-w-0 truncate text-xs text-ink-3 sm:inline">{queryName}</span>
          )}
          {given.length > 0 && (
            <span className="hidden min-w-0 truncate text-xs text-ink-3 sm:inline">
              {given.map(([name, value]) => `${name} = ${parameterWords(value)}`).join(", ")}
            </span>
          )}
          {!enabled && <Badge>disabled</Badge>}
          <ApprovalBadge approval={subscription.approval} />
          {silenced && (
            <Badge>
              silenced, ends <Moment at={subscription.silencedUntil} />
            </Badge>
          )}
        </span>
        {incidents.map(({ kind, reason, openedAt }) => (
          <span key={kind} className="flex items-baseline gap-2 text-xs">
            <Status kind={incidentWords[kind].kind} className="self-center font-semibold">
              {incidentWords[kind].word}
            </Status>
            <span className="shrink-0 text-ink-2">
              began <Moment at={openedAt} />
            </span>
            <span className="hidden truncate text-ink-2 sm:inline" title={reason}>
              {reason}
            </span>
          </span>
        ))}
        <span className="block truncate text-xs text-ink-3 md:hidden">
          {schedule}
          {enabled && (
            <>
              , next <Moment at={subscription.nextRunAt} fallback="–" />
            </>
          )}
        </span>
      </Td>
      <Td className="whitespace-nowrap">
        {lastExecution ? (
          <span className="flex flex-col gap-x-2 md:flex-row md:items-center">
            <Outcome outcome={lastExecution.outcome} className="md:flex-nowrap" />
            <Moment at={lastExecution.executedAt} className="text-xs whitespace-nowrap text-ink-3" />
          </span>
        ) : (
          <NotRunYet />
        )}
      </Td>
      <Td className="hidden lg:table-cell">
        <RecentChart recent={recent} />
      </Td>
      <Td className="hidden max-w-36 min-w-28 md:table-cell 2xl:max-w-56">
        <span className="block truncate text-ink-2">{schedule}</span>
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-2 md:table-cell">
        {enabled ? <Moment at={subscription.nextRunAt} fallback="–" /> : "–"}
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-2 lg:table-cell">{conditionWords(condition)}</Td>
      <Td numeric className="hidden text-ink-2 @6xl:table-cell">
        {subscription.recipientIds.length === 0 ? "nobody" : subscription.recipientIds.length}
      </Td>
      <Td className="w-8 px-0">
        <SubscriptionMenu subscription={subscription} silenced={silenced} />
      </Td>
    </Tr>
  );
}
