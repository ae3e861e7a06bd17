"use client";
import type { ComponentProps } from "react";
import { Schedule } from "@/components/cron/schedule.tsx";
import { isSilenced } from "@/components/silences/silence-words.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import { targetOf } from "./contract-rows.ts";
import { outageTitle } from "./outage.tsx";
import { ScoreBar, ScoreStatusWord, ScoreTrend } from "./score.tsx";
import { contractStatusOf } from "./score-status.ts";

/** One contract: what it watches, its state, and its next evaluation. */
export function ContractRow({
  contract,
  href,
  showSource,
  ...row
}: {
  contract: Contract;
  href: string;
  /** Whether contracts of several data sources are listed together. */
  showSource: boolean;
} & Omit<ComponentProps<"tr">, "children">) {
  const { measured, outage, failureThreshold, enabled, timezone } = contract;
  const silenced = isSilenced(contract, useNow());
  return (
    <Tr {...row}>
      <Td className="w-full max-w-0 md:w-auto md:max-w-64 md:min-w-40">
        <Link href={href} className="block truncate font-medium hover:underline" title={contract.name}>
          {contract.name}
        </Link>
        {silenced && (
          <Badge>
            silenced, ends <Moment at={contract.silencedUntil} />
          </Badge>
        )}
        <span className="block truncate text-xs text-ink-3 md:hidden">
          <Name>{targetOf(contract)}</Name>,{" "}
          {enabled ? (
            <>
              next <Moment at={contract.nextRunAt} fallback="–" />
            </>
          ) : (
            "disabled"
          )}
        </span>
      </Td>
      <Td className="hidden max-w-56 min-w-32 md:table-cell">
        <span
          className="block truncate text-ink-2"
          title={`${contract.dataSourceName} / ${targetOf(contract)}`}
        >
          <Name>{targetOf(contract)}</Name>
          {showSource && <span className="pl-2 text-xs text-ink-3">{contract.dataSourceName}</span>}
        </span>
      </Td>
      <Td className="whitespace-nowrap">
        <span className="inline-flex items-center gap-3">
          {measured && <ScoreBar score={measured.score} threshold={failureThreshold} />}
          <ScoreStatusWord
            status={contractStatusOf(contract)}
            title={outage ? outageTitle(outage) : undefined}
          />
        </span>
      </Td>
      <Td className="hidden whitespace-nowrap md:table-cell">
        {measured && <ScoreTrend {...measured} outage={outage} />}
      </Td>
      <Td className="hidden whitespace-nowrap tabular-nums md:table-cell">
        {contract.lastEvaluatedAt === null ? (
          <span className="text-ink-3">{contract.rules.filter((rule) => rule.enabled).length} to check</span>
        ) : (
          <LastCounts key={contract.lastEvaluatedAt} contract={contract} />
        )}
      </Td>
      <Td className="hidden max-w-48 min-w-32 lg:table-cell">
        <span className="block truncate text-ink-2">
          <Schedule expression={contract.cronExpression} timezone={timezone} />
        </span>
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-2 md:table-cell">
        {enabled ? <Moment at={contract.nextRunAt} fallback="–" /> : <Badge>disabled</Badge>}
      </Td>
    </Tr>
  );
}

/** Passed and failed rules in the latest evaluation. */
function LastCounts({ contract }: { contract: Contract }) {
  const { data } = trpc.dataQuality.evaluations.useQuery({ id: contract.id, take: 1 }, { staleTime: 5_000 });
  if (data === undefined) return <Skeleton className="w-16" />;
  const [latest] = data.items;
  if (!latest) return null;
  if (latest.couldNotEvaluate) return <span className="text-ink-3">not measured</span>;
  return (
    <span className="inline-flex items-center gap-2">
      {latest.failedCount > 0 && (
        <span className="inline-flex items-center gap-1">
          <StatusIcon kind="critical" className="size-3.5" />
          {latest.failedCount} of {latest.failedCount + latest.passedCount} failed
        </span>
      )}
      {latest.failedCount === 0 && <span className="text-ink-3">{latest.passedCount} passed</span>}
    </span>
  );
}
