"use client";
import Link from "next/link";
import type { ComponentProps } from "react";
import { scheduleWords } from "@/components/cron/schedule-words.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import { targetOf } from "./contract-rows.ts";
import { ScoreBar, ScoreStatusWord, ScoreTrend } from "./score.tsx";
import { contractStatusOf } from "./score-status.ts";

/** One contract: what it watches, how it stands, and when it looks again. */
export function ContractRow({
  contract,
  href,
  showSource,
  ...row
}: {
  contract: Contract;
  href: string;
  /** Where contracts of several data sources stand together. */
  showSource: boolean;
} & Omit<ComponentProps<"tr">, "children">) {
  const { latestScore, previousScore, trend, failureThreshold, enabled, timezone } = contract;
  const schedule = scheduleWords(contract.cronExpression) ?? contract.cronExpression;
  return (
    <Tr {...row}>
      <Td className="max-w-72 min-w-44">
        <Link href={href} className="block truncate font-medium hover:underline" title={contract.name}>
          {contract.name}
        </Link>
      </Td>
      <Td className="max-w-64 min-w-36">
        <span
          className="block truncate text-ink-2"
          title={`${contract.dataSourceName} / ${targetOf(contract)}`}
        >
          {showSource && <span className="text-ink-3">{contract.dataSourceName} / </span>}
          {targetOf(contract)}
        </span>
      </Td>
      <Td className="whitespace-nowrap">
        <span className="inline-flex items-center gap-3">
          {latestScore !== null && <ScoreBar score={latestScore} threshold={failureThreshold} />}
          <ScoreStatusWord status={contractStatusOf(latestScore, failureThreshold)} />
        </span>
      </Td>
      <Td className="whitespace-nowrap">
        <ScoreTrend trend={trend} score={latestScore} previousScore={previousScore} />
      </Td>
      <Td className="whitespace-nowrap tabular-nums">
        {contract.lastEvaluatedAt === null ? (
          <span className="text-ink-3">{contract.rules.filter((rule) => rule.enabled).length} to check</span>
        ) : (
          <LastCounts key={contract.lastEvaluatedAt} contract={contract} />
        )}
      </Td>
      <Td className="text-ink-2">
        <Moment at={contract.lastEvaluatedAt} />
      </Td>
      <Td className="max-w-56 min-w-36">
        <span className="block truncate text-ink-2" title={`${schedule}, ${timezone}`}>
          {schedule}
          {timezone !== "UTC" && <span className="text-ink-3"> {timezone}</span>}
        </span>
      </Td>
      <Td className="whitespace-nowrap text-ink-2">
        {enabled ? <Moment at={contract.nextRunAt} fallback="–" /> : <Badge>disabled</Badge>}
      </Td>
    </Tr>
  );
}

/** How many rules passed and failed in the latest evaluation. */
function LastCounts({ contract }: { contract: Contract }) {
  const { data } = trpc.dataQuality.evaluations.useQuery({ id: contract.id, take: 1 }, { staleTime: 5_000 });
  if (data === undefined) return <Skeleton className="w-16" />;
  const [latest] = data.items;
  if (!latest) return null;
  return (
    <span className="inline-flex items-center gap-2">
      {latest.failedCount > 0 && (
        <span className="inline-flex items-center gap-1">
          <StatusIcon kind="critical" className="size-3.5" />
          {latest.failedCount} failed
        </span>
      )}
      <span className="text-ink-3">{latest.passedCount} passed</span>
    </span>
  );
}
