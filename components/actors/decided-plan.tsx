"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { plural } from "@/components/ui/format.ts";
import { ArrowRight } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import type { Plan } from "@/server/actors/schema.ts";
import { inboxInput } from "./actor-pages.ts";
import { PlanStatus } from "./looks.tsx";

/** What was decided, by whom, when, and why; the result; and a link to the next pending plan. */
export function DecidedPlan({ plan, newer }: { plan: Plan; newer: Plan | null }) {
  const { href } = useProject();
  const { status, reviewer, decidedAt, decisionReason, expiredReason } = plan;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div role="status" className="mr-auto min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <PlanStatus status={status} />
          <span className="text-ink-2">
            {status === "Expired" ? (
              (expiredReason ?? "The data it was based on has changed.")
            ) : (
              <>
                {reviewer && (
                  <>
                    by <Name>{reviewer.name}</Name>,{" "}
                  </>
                )}
                <Moment at={decidedAt} />
                <Outcome plan={plan} />
              </>
            )}
          </span>
        </p>
        {decisionReason && (
          <p className="max-w-prose pt-1 break-words whitespace-pre-wrap">“{decisionReason}”</p>
        )}
        {status === "RevisionRequested" && !newer && (
          <p className="pt-1 text-ink-2">
            The actor is working on it; the next version appears here when it is ready.{" "}
            <Link href={href(`/ai-actors/${plan.actorId}`)} className="text-accent underline">
              See its progress
            </Link>
          </p>
        )}
      </div>
      {newer ? (
        <ButtonLink href={href(`/ai-actors/plans/${newer.id}`)} variant="primary">
          Open version {newer.version}
          <ArrowRight aria-hidden className="size-4 shrink-0" />
        </ButtonLink>
      ) : (
        <Next id={plan.id} />
      )}
    </div>
  );
}

function Outcome({ plan: { status, actions } }: { plan: Plan }) {
  const done = actions.filter((action) => action.status === "Succeeded").length;
  const failed = actions.filter((action) => action.status === "Failed").length;
  const declined = actions.filter((action) => action.status === "Declined").length;
  const approved = actions.length - declined;
  const others = declined > 0 ? `, ${declined} declined` : "";
  if (status === "Executing") return `: ${done + failed} of ${plural(approved, "action")} executed${others}`;
  if (status === "Executed")
    return failed === 0 && declined === 0
      ? `: ${allOf(actions.length)} done`
      : `: ${[plural(done, "action", "actions"), "done"].join(" ")}${failed > 0 ? `, ${failed} failed` : ""}${others}`;
  if (status !== "Rejected") return null;
  return done + failed > 0 ? `: execution stopped after ${plural(done, "action")}` : ": no actions ran";
}

const allOf = (count: number) =>
  count === 1 ? "its action is" : `${count === 2 ? "both" : `all ${count}`} actions are`;

function Next({ id }: { id: number }) {
  const { href } = useProject();
  const mayDecide = useMay("plans:decide");
  const list = trpc.actors.plans.useQuery(inboxInput(useProjectInput()), { enabled: mayDecide });
  const others = list.data?.items.filter((each) => each.id !== id) ?? [];
  const next = others[0];
  if (!next) return null;
  return (
    <ButtonLink href={href(`/ai-actors/plans/${next.id}`)}>
      {others.length === 1 ? "Another plan is waiting" : `${others.length} more plans are waiting`}
      <ArrowRight aria-hidden className="size-4 shrink-0" />
    </ButtonLink>
  );
}
