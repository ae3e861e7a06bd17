"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { ArrowRight, Hourglass } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Plan } from "@/server/actors/schema.ts";
import { evidenceOf } from "./action-words.ts";
import { planSummary, planTitle } from "./plan-words.ts";

/** Pending plans, one linked line each. */
export function PlanInbox({
  plans,
  totalCount = plans.length,
  showsActor,
}: {
  plans: readonly Plan[];
  totalCount?: number;
  showsActor: boolean;
}) {
  const { href } = useProject();
  const mayDecide = useMay("plans:decide");
  if (plans.length === 0) return null;
  return (
    <section
      id="plans"
      aria-label="Plans waiting for a decision"
      className="mb-6 rounded-md border border-warning/50"
    >
      <h2 className="flex items-center gap-2 rounded-t-md bg-warning-soft px-3 py-2 font-medium">
        <Hourglass aria-hidden className="size-4 shrink-0 text-warning" />
        {totalCount === 1
          ? "A plan is waiting for a decision"
          : `${totalCount} plans wait for ${totalCount > plans.length ? "a decision, the newest of them here" : "a decision"}`}
      </h2>
      <ul>
        {plans.map((plan) => (
          <li key={plan.id} className="border-t border-warning/30">
            <Link
              href={href(`/ai-actors/plans/${plan.id}`)}
              className="row-focus flex flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2 last:rounded-b-md hover:bg-hover"
            >
              <span className="min-w-0 truncate font-medium">
                {showsActor ? plan.actorName : planTitle(plan)}
              </span>
              {showsActor && <span className="text-ink-2">{planTitle(plan)}</span>}
              {plan.version > 1 && <Badge>version {plan.version}</Badge>}
              <span className="inline-flex items-center gap-1 text-ink-2">
                {plan.actions.some((action) => evidenceOf(action) === "failing") && (
                  <StatusIcon kind="warning" className="size-3.5" />
                )}
                {planSummary(plan)}
              </span>
              <span className="text-xs text-ink-3">
                <Moment at={plan.proposedAt} />
              </span>
              {plan.userInstruction && (
                <span className="min-w-0 flex-1 basis-40 truncate text-ink-2" title={plan.userInstruction}>
                  “{plan.userInstruction}”
                </span>
              )}
              <span className="ml-auto inline-flex items-center gap-1 text-accent">
                {mayDecide ? "Review" : "See"}
                <ArrowRight aria-hidden className="size-4" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
