"use client";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { cn } from "@/components/ui/class-names.ts";
import { formatExact, formatNumber, plural } from "@/components/ui/format.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import { dryRunRuleInput } from "@/server/data-quality/dry-run-schema.ts";
import type { RuleBacktest } from "@/server/data-quality/history-schema.ts";
import type { ContractForm } from "./contract-form.ts";
import { ruleDraftOf } from "./trial.ts";

/** How many failures are named. */
const named = 3;

/** What the rule, as it is in the form, would have found in its own history. */
export function UsualBacktest({ index }: { index: number }) {
  const { control, getValues } = useFormContext<ContractForm>();
  const rule = useWatch({ control, name: `rules.${index}` });
  const draft = useSettled(JSON.stringify(ruleDraftOf(getValues(), rule)));
  const given: unknown = JSON.parse(draft);
  const isValid = dryRunRuleInput.safeParse(given).success;
  const { data, error, isFetching } = trpc.dataQuality.backtestRule.useQuery(
    given as Parameters<typeof trpc.dataQuality.backtestRule.useQuery>[0] & object,
    { enabled: isValid && Boolean(rule.key), placeholderData: keepPreviousData, staleTime: 60_000 },
  );
  if (!rule.key)
    return <Line>It has not measured anything yet: it is judged from its 15th measurement on.</Line>;
  if (!isValid) return <Line>The backtest appears here once the values are valid.</Line>;
  if (error) return <Line>The backtest failed: {messageOf(error)}</Line>;
  if (!data) return <Skeleton className="h-8 w-full max-w-xl" />;
  return (
    <Line isOld={isFetching}>
      <Words backtest={data} />
    </Line>
  );
}

function Words({ backtest }: { backtest: RuleBacktest }) {
  const zone = useZone();
  const { evaluations, judged, since, wouldHaveFailed, didFail, failures } = backtest;
  if (judged === 0)
    return `Too little history: ${plural(evaluations, "measurement")} so far, and it is judged from the 15th on.`;
  return (
    <>
      It <strong>would have failed {plural(wouldHaveFailed, "time")}</strong> in{" "}
      {plural(judged, "evaluation")}
      {since && ` since ${formatExact(new Date(since), zone)}`} (it did {formatNumber(didFail)}).
      {failures.length > 0 && (
        <ul className="list-disc pl-5 pt-1">
          {failures.slice(0, named).map(({ evaluationId, evaluatedAt, measured, expected }) => (
            <li key={evaluationId} className="tabular-nums">
              {formatExact(new Date(evaluatedAt), zone)}: {formatNumber(measured)}; {expected}
            </li>
          ))}
          {wouldHaveFailed > named && <li>and {formatNumber(wouldHaveFailed - named)} more</li>}
        </ul>
      )}
    </>
  );
}

function Line({ isOld = false, children }: { isOld?: boolean; children: React.ReactNode }) {
  return (
    <div
      role="status"
      aria-busy={isOld}
      className={cn(
        "max-w-3xl border-l-2 border-accent bg-accent-soft px-3 py-1.5 text-sm transition-opacity",
        isOld && "opacity-60",
      )}
    >
      {children}
    </div>
  );
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 400);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
