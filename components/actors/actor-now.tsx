"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { formatExact } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { StatusIcon, type StatusKind } from "@/components/ui/status.tsx";
import { Elapsed, UnderWay } from "@/components/ui/under-way.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { ActorDetail, ActorExecution } from "@/server/actors/schema.ts";
import { PhaseStepper } from "./phase-stepper.tsx";
import { phaseWords } from "./phase-steps.ts";
import { occasionWords } from "./plan-words.ts";

/** What an actor is doing, phase by phase; or why it can't think, and how to fix that. */
export function ActorNow({ actor, cycle }: { actor: ActorDetail; cycle: ActorExecution | null }) {
  const current = actor.currentExecution;
  if (current) return <CurrentCycle cycle={cycle} fallback={current} />;
  return <Standstill actor={actor} />;
}

function CurrentCycle({
  cycle,
  fallback,
}: {
  /** null until loaded. */
  cycle: ActorExecution | null;
  fallback: NonNullable<ActorDetail["currentExecution"]>;
}) {
  const course = cycle ?? { ...fallback, kind: "ThinkCycle" as const };
  return (
    <UnderWay>
      <span className="sr-only">
        {course.phase}: it {phaseWords[course.phase]}.
      </span>
      <PhaseStepper of={course} />
      {cycle && <Elapsed since={Date.parse(cycle.startedAt)} />}
      <span className="text-ink-2">{cycle && `${occasionWords(cycle)}.`}</span>
      <span className="ml-auto text-xs text-ink-3">You can leave this page; the work continues.</span>
    </UnderWay>
  );
}

function Standstill({ actor }: { actor: ActorDetail }) {
  const { href } = useProject();
  const mayConfigure = useMay("actors:configure");
  const zone = useZone();
  if (actor.status === "Failed")
    return (
      <Notice
        kind="critical"
        title="The last think cycle failed. The actor is stopped until someone resumes it."
      >
        {actor.lastError && (
          <span className="block font-mono text-xs break-words whitespace-pre-wrap">{actor.lastError}</span>
        )}
        <span className="block text-ink-2">
          Everything it created is kept and keeps running.{" "}
          {mayConfigure ? "Fix the cause, then resume." : "An Editor or an Admin can resume it."}
        </span>
      </Notice>
    );
  if (actor.budgetExhausted)
    return (
      <Notice kind="warning" title="Stopped by its budget.">
        <span className="block text-ink-2">
          {isBudgetUsedUp(actor)
            ? `This month's budget is used up: it will not think again before ${endOfMonth(zone)}.`
            : "The budget is in dollars, and the model's price is unknown."}{" "}
          Its subscriptions keep running.{" "}
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
      <Notice kind="neutral" title="It is a draft and has not looked at anything yet.">
        <span className="block text-ink-2">
          {mayConfigure ? "Start it" : "Once an Editor or an Admin starts it, it starts thinking"}
          {mayConfigure ? ": it reads" : ": it will read"} the schema and proposes a first set of queries and
          subscriptions.
        </span>
      </Notice>
    );
  if (actor.status === "Paused")
    return (
      <Notice kind="stalled" title="Paused: it does not think.">
        <span className="block text-ink-2">
          Its subscriptions keep running. {mayConfigure ? "Resume it" : "An Editor or an Admin can resume it"}{" "}
          so that it analyzes what they find.
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

/** The start of the next month in UTC, when budgets reset, in the reader's zone. */
function endOfMonth(zone: string): string {
  const now = new Date();
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return formatExact(next, zone);
}

/** Without a known price, a budget in dollars can't be enforced. */
function isBudgetUsedUp({
  monthlyBudget,
  usedThisMonth,
}: Pick<ActorDetail, "monthlyBudget" | "usedThisMonth">): boolean {
  const { tokens, cost } = monthlyBudget ?? { tokens: null, cost: null };
  return (tokens !== null && usedThisMonth.tokens >= tokens) || (cost !== null && usedThisMonth.cost >= cost);
}
