"use client";
import { parseAsInteger, useQueryStates } from "nuqs";
import { useEffect, useMemo, useRef, useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { LiveNotice } from "@/components/realtime/live-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { isReadingKey } from "@/components/ui/reading-key.ts";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Plan } from "@/server/actors/schema.ts";
import { ActionList } from "./action-list.tsx";
import { type ActionContext, ActionView } from "./action-view.tsx";
import { Findings } from "./course-entry.tsx";
import { FeedbackAnswers } from "./feedback-answers.tsx";
import { PlanAnalysis } from "./plan-analysis.tsx";
import { PlanComparison } from "./plan-comparison.tsx";
import { planDifference } from "./plan-difference.ts";
import { PlanFooter } from "./plan-footer.tsx";
import { PlanHeader } from "./plan-header.tsx";
import { planLimits } from "./plan-limits.ts";

const noneLeftOut: ReadonlySet<number> = new Set();

/** A plan: the actor's findings, each action with its evidence, and the decision. */
export function PlanPage({ id }: { id: number }) {
  const [plan] = trpc.actors.plan.useSuspenseQuery(
    { id },
    { refetchInterval: ({ state: { data } }) => (data?.status === "Executing" ? 1_000 : 10_000) },
  );
  const isRevised = plan.status === "RevisionRequested";
  const [{ items: versions }] = trpc.actors.planVersions.useSuspenseQuery(
    { id },
    {
      refetchInterval: ({ state: { data } }) =>
        isRevised && !data?.items.some(({ version }) => version > plan.version) ? 2_000 : 15_000,
    },
  );
  const [{ action: asked, compare }, set] = useQueryStates(
    { action: parseAsInteger, compare: parseAsInteger },
    { history: "replace" },
  );
  const former = versions.find(({ id: each }) => each === plan.parentPlanId) ?? null;
  // Compared with the previous version unless the URL says otherwise; 0 turns it off.
  const compared =
    compare === null
      ? former
      : (versions.find(({ version }) => version === compare && version < plan.version) ?? null);
  const difference = useMemo(() => (compared ? planDifference(compared, plan) : null), [compared, plan]);
  const chosen = plan.actions.find(({ index }) => index === (asked ?? 1) - 1) ?? plan.actions[0];
  const choose = (index: number) => void set({ action: index === 0 ? null : index + 1 });
  useActionKeys(plan, chosen?.index ?? 0, choose);
  const workContext = useActionContext(plan);
  const mayDecide = useMay("plans:decide");
  // Only of this version: another one proposes other actions.
  const [choice, setChoice] = useState<{ planId: number; leftOut: ReadonlySet<number> }>();
  const leftOut = choice?.planId === plan.id ? choice.leftOut : noneLeftOut;
  const isSelectable = mayDecide && plan.status === "PendingApproval" && plan.actions.length > 1;
  const newer = versions.find(({ version }) => version === plan.version + 1) ?? null;
  return (
    <>
      <PlanHeader
        plan={plan}
        versions={versions}
        compared={compared}
        onCompare={(version) => void set({ compare: version ?? 0 })}
      />
      <LiveNotice />
      {compared && difference && <PlanComparison plan={plan} former={compared} difference={difference} />}
      {plan.userInstruction && plan.userInstruction !== compared?.decisionReason && (
        <section aria-label="Instruction" className="pb-5">
          <h2 className="pb-1 text-xs text-ink-3">What it was told</h2>
          <blockquote className="max-w-prose border-l-2 border-accent pl-3 break-words whitespace-pre-wrap">
            {plan.userInstruction}
          </blockquote>
        </section>
      )}
      {plan.feedbackAnswers.length > 0 && (
        <div className="pb-6">
          <FeedbackAnswers answers={plan.feedbackAnswers} />
        </div>
      )}
      <section
        aria-label="Analysis"
        className="grid gap-x-10 gap-y-5 pb-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
      >
        <div className="flex min-w-0 flex-col gap-2">
          <h2 className="text-sm font-semibold">Analysis</h2>
          {plan.analysis.trim() ? (
            <PlanAnalysis text={plan.analysis} />
          ) : (
            <p className="text-ink-2">It gives none.</p>
          )}
        </div>
        {plan.keyFindings.length > 0 && (
          <div className="flex min-w-0 flex-col gap-2">
            <h2 className="text-sm font-semibold">Key findings</h2>
            <Findings findings={plan.keyFindings} />
          </div>
        )}
      </section>
      {chosen ? (
        <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[19rem_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-2 lg:sticky lg:top-0 lg:max-h-[calc(100dvh-8rem)] lg:overflow-y-auto">
            <h2 className="flex items-baseline justify-between gap-2 text-sm font-semibold">
              <span>
                Actions{" "}
                <span className="font-normal text-ink-3 tabular-nums">
                  {formatNumber(plan.actions.length)}
                </span>
              </span>
              <span aria-hidden className="hidden text-xs font-normal text-ink-3 lg:inline">
                j and k move between them
              </span>
            </h2>
            <QueriesTaken workContext={workContext} />
            <ActionList
              plan={plan}
              chosen={chosen.index}
              difference={difference}
              onChoose={choose}
              {...(isSelectable && {
                selection: {
                  leftOut,
                  onChange: (next: ReadonlySet<number>) => setChoice({ planId: plan.id, leftOut: next }),
                },
              })}
            />
          </div>
          <ActionView
            key={chosen.index}
            action={chosen}
            change={difference?.byIndex.get(chosen.index) ?? null}
            formerVersion={compared?.version ?? null}
            workContext={workContext}
          />
        </div>
      ) : (
        <p className="border-t py-6 text-ink-2">It proposes no action: nothing would change.</p>
      )}
      <PlanFooter plan={plan} newer={newer} leftOut={isSelectable ? leftOut : noneLeftOut} />
    </>
  );
}

/** How much of the actor's limit the plan would use. */
function QueriesTaken({ workContext: { plan, limits } }: { workContext: ActionContext }) {
  if (!limits || plan.status !== "PendingApproval") return null;
  const { before, after, limit } = limits.queries;
  if (before === after) return null;
  return (
    <p className="flex items-center gap-1.5 text-xs text-ink-2 tabular-nums">
      {after > limit && <StatusIcon kind="warning" className="size-3.5" />}
      Queries: {formatNumber(before)} → {formatNumber(after)} of {formatNumber(limit)}
    </p>
  );
}

/** Context for the actions. Loaded after the plan, which is readable without it. */
function useActionContext(plan: Plan): ActionContext {
  const actor = trpc.actors.get.useQuery({ id: plan.actorId }).data;
  const sources = trpc.dataSources.list.useQuery({ projectId: plan.projectId }).data;
  const people = trpc.recipients.list.useQuery({ projectId: plan.projectId }).data;
  return useMemo(
    () => ({
      plan,
      engine: sources?.items.find(({ id }) => id === plan.dataSourceId)?.kind ?? null,
      recipients:
        actor && people
          ? people.items
              .filter(({ id }) => actor.defaultRecipientIds.includes(id))
              .map(({ name }) => name)
              .join(", ") || "nobody: the actor has no recipient"
          : null,
      limits: actor ? planLimits(plan.actions, actor) : null,
    }),
    [plan, actor, sources, people],
  );
}

/** j and k move between actions from anywhere on the page, including read-only SQL. */
function useActionKeys({ actions }: Plan, chosen: number, onChoose: (index: number) => void): void {
  const latest = useRef({ chosen, onChoose });
  useEffect(() => {
    latest.current = { chosen, onChoose };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.key !== "j" && event.key !== "k") || !isReadingKey(event)) return;
      event.preventDefault();
      const place = actions.findIndex(({ index }) => index === latest.current.chosen);
      const next = actions[place + (event.key === "j" ? 1 : -1)];
      if (!next) return;
      latest.current.onChoose(next.index);
      document.querySelector<HTMLElement>(`[data-action="${next.index}"]`)?.focus();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [actions]);
}
