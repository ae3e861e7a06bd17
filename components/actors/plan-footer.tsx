"use client";
import { Check, FileDiff, X } from "lucide-react";
import { useMay } from "@/components/auth/use-me.ts";
import type { Choice } from "@/components/decisions/choice.ts";
import { Decide } from "@/components/decisions/decide.tsx";
import { DecisionBar } from "@/components/decisions/decision-bar.tsx";
import { plural } from "@/components/ui/format.ts";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Plan } from "@/server/actors/schema.ts";
import { evidenceOf } from "./action-words.ts";
import { DecidedPlan } from "./decided-plan.tsx";
import { type PlanDecision, useDecidePlan } from "./use-decide-plan.ts";

/** A plan is approved, sent back or rejected. */
export function PlanFooter({ plan, newer }: { plan: Plan; newer: Plan | null }) {
  return (
    <DecisionBar>
      {plan.status === "PendingApproval" ? (
        <ToDecide plan={plan} />
      ) : (
        <DecidedPlan plan={plan} newer={newer} />
      )}
    </DecisionBar>
  );
}

const choices: readonly Choice<PlanDecision>[] = [
  {
    decision: "reject",
    button: { label: "Reject", key: "x", icon: X, variant: "danger" },
    form: {
      ...{ name: "Reject the plan", label: "Why it is rejected", variant: "danger", most: 4000 },
      missing: "is required: whoever asks later finds it here",
    },
  },
  {
    decision: "revise",
    button: { label: "Request revision", key: "r", icon: FileDiff },
    form: {
      ...{ name: "Send the plan back", label: "What is to be different", variant: "primary" },
      ...{ most: 20_000, rows: 2, missing: "is required: the next version is made from it" },
    },
  },
  {
    decision: "approve",
    button: { label: "Approve", key: "a", icon: Check, variant: "primary" },
    form: {
      ...{ name: "Approve the plan", label: "Comment on the approval", variant: "primary", most: 4000 },
    },
  },
];

function ToDecide({ plan }: { plan: Plan }) {
  const mayDecide = useMay("plans:decide");
  const decision = useDecidePlan(plan);
  if (!mayDecide)
    return (
      <p className="text-ink-2">
        <Consequence plan={plan} /> An Editor or an Admin decides; what is decided appears here by itself.
      </p>
    );
  return <Decide choices={choices} consequence={<Consequence plan={plan} />} {...decision} />;
}

/** What approving comes to. */
function Consequence({ plan: { actions } }: { plan: Plan }) {
  const failing = actions.filter((action) => evidenceOf(action) === "failing").length;
  const locked = actions.filter((action) => action.kind === "RefineQuery" && action.isLocked).length;
  if (actions.length === 0) return "It proposes to do nothing; approving it closes it.";
  return (
    <>
      Once it is approved,{" "}
      {actions.length === 1 ? "its action runs" : `its ${actions.length} actions run one by one`}, exactly as
      shown.
      {failing > 0 && (
        <>
          {" "}
          <StatusIcon kind="warning" className="mr-0.5 inline align-text-bottom" /> The evidence of{" "}
          {failing === actions.length ? (failing === 1 ? "it" : "all of them") : plural(failing, "action")}{" "}
          fails.
        </>
      )}
      {locked > 0 && ` ${plural(locked, "action")} will fail: the query is locked.`}
    </>
  );
}
