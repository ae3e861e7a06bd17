"use client";
import { cn } from "@/components/ui/class-names.ts";
import { CircleMinus } from "@/components/ui/icons.tsx";
import { Status, StatusIcon } from "@/components/ui/status.tsx";
import type { Action, Plan } from "@/server/actors/schema.ts";
import { actionDetail, actionTitle, evidenceOf, evidenceWords, kindWords } from "./action-words.ts";
import { ChangeBadge } from "./change-badge.tsx";
import type { PlanDifference } from "./plan-difference.ts";

/** A plan's actions in order; the selected one is shown next to the list. j and k move between them. */
export function ActionList({
  plan,
  chosen,
  difference,
  onChoose,
}: {
  plan: Plan;
  /** The index of an action. */
  chosen: number;
  difference: PlanDifference | null;
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
          <li key={action.index} className="border-b">
            <button
              type="button"
              data-action={action.index}
              aria-current={isChosen ? "true" : undefined}
              onClick={() => onChoose(action.index)}
              className={cn(
                "row-focus flex w-full scroll-my-24 items-start gap-2 px-2 py-1.5 text-left",
                isChosen ? "bg-accent-soft" : "hover:bg-hover",
              )}
            >
              <Mark action={action} isRunning={plan.status === "Executing"} />
              <span className="min-w-0 flex-1">
                <span className="flex items-center gap-1 text-xs text-ink-3">
                  <Icon aria-hidden className="size-3.5 shrink-0" />
                  {word}
                </span>
                <span className="block truncate font-medium" title={actionTitle(action)}>
                  {actionTitle(action)}
                </span>
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
