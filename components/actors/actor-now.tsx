"use client";
import Link from "next/link";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { formatExact } from "@/components/ui/format.ts";
import { StatusIcon, type StatusKind } from "@/components/ui/status.tsx";
import { Elapsed, UnderWay } from "@/components/ui/under-way.tsx";
import type { ActorDetail } from "@/server/actors/schema.ts";
import { PhaseStepper } from "./phase-stepper.tsx";
import { phaseWords } from "./phase-steps.ts";
import { occasionWords } from "./plan-words.ts";

/** What an actor is at, phase by phase; or what keeps it from thinking, and what helps. */
export function ActorNow({ actor }: { actor: ActorDetail }) {
  const current = actor.currentExecution;
  if (current) return <CurrentCycle key={current.id} id={current.id} fallback={current} />;
  return <Standstill actor={actor} />;
}

function CurrentCycle({
  id,
  fallback,
}: {
  id: number;
  fallback: NonNullable<ActorDetail["currentExecution"]>;
}) {
  const { data } = trpc.actors.execution.useQuery({ id }, { refetchInterval: 1_000 });
  const course = data ?? { ...fallback, kind: "ThinkCycle" as const };
  return (
    <UnderWay>
      <span className="sr-only">
        {course.phase}: it {phaseWords[course.phase]}.
      </span>
      <PhaseStepper of={course} />
      {data && <Elapsed since={Date.parse(data.startedAt)} />}
      <span className="text-ink-2">{data && `${occasionWords(data)}.`}</span>
      <span className="ml-auto text-xs text-ink-3">You may leave this page; it goes on.</span>
    </UnderWay>
  );
}

function Standstill({ actor }: { actor: ActorDetail }) {
  const { href } = useProject();
  const mayConfigure = useMay("actors:configure");
  if (actor.status === "Failed")
    return (
      <Notice kind="critical" title="It has failed, and does not think until somebody resumes it.">
        {actor.lastError && (
          <span className="block font-mono text-xs break-words whitespace-pre-wrap">{actor.lastError}</span>
        )}
        <span className="block text-ink-2">
          What it has made is kept, and runs on.{" "}
          {mayConfigure
            ? "Mend what stood in the way, then resume it: it goes on from where it is."
            : "An Editor or an Admin can resume it."}
        </span>
      </Notice>
    );
  if (actor.budgetExhausted)
    return (
      <Notice kind="warning" title="Its budget keeps it from thinking.">
        <span className="block text-ink-2">
          {isUsedUp(actor)
            ? `The month's is used up: it does not think again before ${endOfMonth()}.`
            : "It is one in money, and the price of the model is unknown."}{" "}
          Its subscriptions run on.{" "}
          {mayConfigure && (
            <Link href={href(`/ai-actors/${actor.id}/edit`)} className="text-accent underline">
              Raise the budget
            </Link>
          )}
        </span>
      </Notice>
    );
  if (actor.status === "Draft")
    return (
      <Notice kind="neutral" title="It is a draft, and has not looked at anything yet.">
        <span className="block text-ink-2">
          {mayConfigure ? "Start it" : "Once an Editor or an Admin starts it, it begins"}
          {mayConfigure ? ": it reads" : ": it will read"} the schema and proposes a first set of queries and
          subscriptions.
        </span>
      </Notice>
    );
  if (actor.status === "Paused")
    return (
      <Notice kind="stalled" title="It is paused, and does not think.">
        <span className="block text-ink-2">
          Its subscriptions run on. {mayConfigure ? "Resume it" : "An Editor or an Admin can resume it"} to
          have it think about what they find.
        </span>
      </Notice>
    );
  return null;
}

function Notice({ kind, title, children }: { kind: StatusKind; title: string; children: React.ReactNode }) {
  return (
    <div
      role={kind === "critical" ? "alert" : "status"}
      className={`mb-4 flex items-start gap-2 rounded-md border px-3 py-2 ${
        kind === "critical"
          ? "border-critical/40 bg-critical-soft"
          : kind === "warning"
            ? "border-warning/50 bg-warning-soft"
            : "bg-sunken"
      }`}
    >
      <StatusIcon kind={kind} className="mt-0.5" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-medium">{title}</p>
        {children}
      </div>
    </div>
  );
}

/** The first moment of the next month in UTC, by which budgets are counted. */
function endOfMonth(): string {
  const now = new Date();
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return formatExact(next, "UTC").replace(/, 00:00:00 UTC$/, " (UTC)");
}

/** Else nobody knows what it costs to think, so that a budget in money cannot be kept. */
function isUsedUp({
  monthlyBudget,
  usedThisMonth,
}: Pick<ActorDetail, "monthlyBudget" | "usedThisMonth">): boolean {
  const { tokens, cost } = monthlyBudget ?? { tokens: null, cost: null };
  return (tokens !== null && usedThisMonth.tokens >= tokens) || (cost !== null && usedThisMonth.cost >= cost);
}
