"use client";
import type { ComponentProps } from "react";
import { useProject, useProjects } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Count } from "@/components/ui/count.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Hourglass } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { Actor } from "@/server/actors/schema.ts";
import { ActorDoing } from "./actor-doing.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import { ActorStatus } from "./looks.tsx";
import { costUse, exactSum, tokensUse } from "./money.ts";

/** One actor: status, current activity, pending plans, and cost. */
export function ActorRow({
  actor,
  href,
  ...row
}: { actor: Actor; href: string } & Omit<ComponentProps<"tr">, "children">) {
  const { project } = useProject();
  const { projects, nameOf } = useProjects();
  const { usedThisMonth, monthlyBudget, totalCost, totalTokensUsed, pendingPlanCount } = actor;
  const tokens = tokensUse(usedThisMonth.tokens, monthlyBudget?.tokens ?? null);
  const cost = costUse(usedThisMonth.cost, monthlyBudget?.cost ?? null, actor.costIsPartial);
  return (
    <Tr {...row} className="align-top">
      <Td className="w-0 py-1.5">
        <ActorStatus status={actor.status} />
      </Td>
      <Td className="w-full max-w-0 min-w-40 py-1.5">
        <span className="flex min-w-0 items-baseline gap-2">
          <Link href={href} className="truncate leading-5 font-medium hover:underline" title={actor.name}>
            {actor.name}
          </Link>
          <span className="shrink-0">
            <ActorDoing actor={actor} />
          </span>
          {actor.budgetExhausted && (
            <Badge tone="warning" className="shrink-0 self-center">
              stopped by its budget
            </Badge>
          )}
        </span>
        <span className="block truncate text-xs leading-5 text-ink-3">
          {project === null && projects.length > 1 && (
            <>
              <Name>{nameOf(actor.projectId)}</Name> ·{" "}
            </>
          )}
          <Name>{actor.dataSourceName}</Name>
        </span>
        {actor.status === "Failed" && actor.lastError && (
          <span className="block truncate text-xs leading-5 text-critical" title={actor.lastError}>
            {actor.lastError}
          </span>
        )}
        <span className="flex flex-wrap gap-x-2 text-xs leading-5 text-ink-3 md:hidden">
          <span>
            {formatNumber(actor.queryCount)} of {plural(actor.maxQueries, "query", "queries")}
          </span>
          <span>{plural(actor.subscriptionCount, "subscription")}</span>
        </span>
      </Td>
      <Td className="py-1.5 whitespace-nowrap">
        {pendingPlanCount > 0 ? (
          <Link
            href={`${href}#plans`}
            className="inline-flex items-center gap-1 font-medium text-warning hover:underline"
          >
            <Hourglass aria-hidden className="size-3.5" />
            {plural(pendingPlanCount, "plan")}
          </Link>
        ) : (
          <span className="text-ink-3">–</span>
        )}
      </Td>
      <Td numeric className="hidden py-1.5 md:table-cell">
        {formatNumber(actor.queryCount)}
        <span className="text-ink-3"> / {formatNumber(actor.maxQueries)}</span>
      </Td>
      <Td numeric className="hidden py-1.5 md:table-cell">
        <Count value={actor.subscriptionCount} />
      </Td>
      <Td numeric className="hidden py-1.5 lg:table-cell" title={`${formatNumber(totalTokensUsed)} in all`}>
        <span className="block leading-5" title={`${formatNumber(usedThisMonth.tokens)} this month`}>
          {tokens.text}
        </span>
        <BudgetBar use={tokens} />
        {totalTokensUsed !== usedThisMonth.tokens && (
          <span className="block text-xs leading-5 text-ink-3">
            <Count value={totalTokensUsed} /> in all
          </span>
        )}
      </Td>
      <Td
        numeric
        className="hidden py-1.5 lg:table-cell"
        title={`${exactSum(totalCost, actor.costIsPartial)} in all`}
      >
        <span
          className="block leading-5"
          title={`${exactSum(usedThisMonth.cost, actor.costIsPartial)} this month`}
        >
          {cost.text}
        </span>
        <BudgetBar use={cost} />
        {totalCost !== usedThisMonth.cost && (
          <span className="block text-xs leading-5 text-ink-3">
            {costUse(totalCost, null, actor.costIsPartial).text} in all
          </span>
        )}
      </Td>
      <Td numeric className="hidden py-1.5 xl:table-cell">
        <Count value={actor.thinkCount} />
      </Td>
      <Td className="hidden py-1.5 whitespace-nowrap text-ink-2 sm:table-cell">
        <Moment at={actor.lastThinkAt} />
      </Td>
    </Tr>
  );
}
