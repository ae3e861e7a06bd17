"use client";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { cn } from "@/components/ui/class-names.ts";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { type Backtest, backtestInput } from "@/server/subscriptions/schema.ts";
import { judgmentOf, type SubscriptionForm } from "./subscription-form.ts";

/** What the form's condition and anomaly detection would have found in the last 30 days. */
export function BacktestLine({ subscriptionId }: { subscriptionId: number }) {
  const { control, getValues } = useFormContext<SubscriptionForm>();
  const [condition, anomalyDetection] = useWatch({ control, name: ["condition", "anomalyDetection"] });
  const asked = useDebounced(
    JSON.stringify(judgmentOf({ ...getValues(), condition, anomalyDetection })),
    400,
  );
  const given: unknown = { id: subscriptionId, ...JSON.parse(asked) };
  const read = backtestInput.safeParse(given);
  const { data, error, isFetching } = trpc.subscriptions.backtest.useQuery(
    read.success ? read.data : { id: subscriptionId, condition: { kind: "Always" } },
    { enabled: read.success, placeholderData: keepPreviousData, staleTime: 60_000 },
  );
  if (!read.success) return <Line>The backtest appears here once the values are valid.</Line>;
  if (error) return <Line>The backtest failed: {messageOf(error)}</Line>;
  if (!data) return <Skeleton className="h-8 w-full max-w-xl" />;
  return (
    <Line isOld={isFetching}>
      <BacktestWords backtest={data} />
    </Line>
  );
}

function BacktestWords({ backtest }: { backtest: Backtest }) {
  const { executions, wouldHaveNotified, didNotify, anomalies } = backtest;
  if (executions === 0) return "No run in the last 30 days has a result to test against.";
  return (
    <>
      It <strong>would have notified {plural(wouldHaveNotified, "time")}</strong> in the last 30 days (it did{" "}
      {formatNumber(didNotify)})
      {anomalies !== null && (
        <>
          {" "}
          and would have called <strong>{plural(anomalies, "result")} unusual</strong>
        </>
      )}
      . Tried on {plural(executions, "run")} with a result.
    </>
  );
}

function Line({ isOld = false, children }: { isOld?: boolean; children: React.ReactNode }) {
  return (
    <p
      role="status"
      aria-busy={isOld}
      className={cn(
        "max-w-3xl border-l-2 border-accent bg-accent-soft px-3 py-1.5 transition-opacity",
        isOld && "opacity-60",
      )}
    >
      {children}
    </p>
  );
}

/** The value, debounced. */
function useDebounced(value: string, milliseconds: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
