"use client";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { CircleMinus } from "@/components/ui/icons.tsx";
import { Status, StatusIcon } from "@/components/ui/status.tsx";
import { needOf } from "@/server/actors/action-dependencies.ts";
import type { Action, Plan } from "@/server/actors/schema.ts";
import { actionDetail, actionTitle, evidenceOf, evidenceWords, kindWords } from "./action-words.ts";
import { ChangeBadge } from "./change-badge.tsx";
import { leftOutAfter } from "./left-out.ts";
import type { PlanDifference } from "./plan-difference.ts";

/** A plan's actions in order; the selected one is shown next to the list. j and k move between them. */
export function ActionList({
  plan,
  chosen,
  difference,
  selection,
  onChoose,
}: {
  plan: Plan;
  /** The index of an action. */
  chosen: number;
  difference: PlanDifference | null;
  /** Which actions to approve, for people who decide. */
  selection?: { leftOut: ReadonlySet<number>; onChange: (leftOut: ReadonlySet<number>) => void };
  onChoose: (index: number) => void;
}) {
  return (
    <ol aria-label="Actions" className="flex flex-col border-t">
      {plan.actions.map((action) => {
        const isChosen = action.index === chosen;
        const { icon: Icon, word } = kindWords[action.kind];
        const change = difference?.byIndex.get(action.index)?.change;
        const detail = actionDetail(action);
        return (
          <li key={action.index} className="flex items-start border-b">
            {selection && (
              <Checkbox
                className="shrink-0 px-1 pt-1.5"
                aria-label={`Approve action ${action.index + 1}: ${word}, ${actionTitle(action)}`}
                checked={!selection.leftOut.has(action.index)}
                onCheckedChange={(isTaken) =>
                  selection.onChange(leftOutAfter(plan.actions, selection.leftOut, action.index, isTaken))
                }
              />
            )}
            <button
              type="button"
              data-action={action.index}
              aria-current={isChosen ? "true" : undefined}
              onClick={() => onChoose(action.index)}
              className={cn(
                "row-focus flex w-full min-w-0 scroll-my-24 items-start gap-2 px-2 py-1.5 text-left",
                isChosen ? "bg-accent-soft" : "hover:bg-hover",
              )}
            >
              <Mark action={action} isRunning={plan.status === "Executing"} />
              <span className="min-w-0 flex-1">
                <span className="flex items-center gap-1 text-xs text-ink-3">
                  <Icon aria-hidden className="size-3.5 shrink-0" />
                  {word}
                </span>
                <span
                  className={cn(
                    "block truncate font-medium",
                    selection?.leftOut.has(action.index) && "text-ink-2 line-through",
                  )}
                  title={actionTitle(action)}
                >
                  {actionTitle(action)}
                </span>
                {selection && <NeedNote plan={plan} action={action} />}
                {action.status === "Declined" && (
                  <span className="block truncate text-xs text-ink-2" title={action.error ?? undefined}>
                    Declined: {action.error}
                  </span>
                )}
                {detail && <span className="block truncate text-xs text-ink-2">{detail}</span>}
                {action.status === "Failed" && (
                  <span className="block truncate text-xs text-critical" title={action.error ?? undefined}>
                    {action.error}
                  </span>
                )}
              </span>
              {change && change !== "same" && <ChangeBadge change={change} />}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** That it is only approved together with another action. */
function NeedNote({ plan, action }: { plan: Plan; action: Action }) {
  const need = needOf(plan.actions, action);
  return need === null ? null : (
    <span className="block truncate text-xs text-ink-3">Needs action {need + 1}</span>
  );
}

/** Before the decision, the state of its evidence; afterwards, its result. */
function Mark({ action, isRunning }: { action: Action; isRunning: boolean }) {
  const place = "mt-0.5 [&_svg]:size-4";
  if (action.status === "Succeeded")
    return (
      <Status kind="ok" hideWord className={place}>
        Done:
      </Status>
    );
  if (action.status === "Failed")
    return (
      <Status kind="critical" hideWord className={place}>
        Failed:
      </Status>
    );
  if (action.status === "Declined")
    return (
      <Status kind="neutral" hideWord className={place}>
        Declined:
      </Status>
    );
  if (isRunning)
    return (
      <Status kind="running" hideWord className={place}>
        Queued:
      </Status>
    );
  const evidence = evidenceOf(action);
  return (
    <span className="mt-0.5" title={evidenceWords[evidence]}>
      {evidence === "none" ? (
        <CircleMinus aria-hidden className="size-4 text-ink-3" />
      ) : (
        <StatusIcon kind={evidence === "valid" ? "ok" : "warning"} />
      )}
      <span className="sr-only">{evidenceWords[evidence]}:</span>
    </span>
  );
}
