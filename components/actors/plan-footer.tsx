"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import type { Choice } from "@/components/decisions/choice.ts";
import { Decide } from "@/components/decisions/decide.tsx";
import { DecisionBar } from "@/components/decisions/decision-bar.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { plural } from "@/components/ui/format.ts";
import { Check, FileDiff, X } from "@/components/ui/icons.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Plan } from "@/server/actors/schema.ts";
import { wishesInWords } from "@/server/actors/wish-words.ts";
import { revisionWishesSchema } from "@/server/actors/wishes.ts";
import { evidenceOf } from "./action-words.ts";
import { DecidedPlan } from "./decided-plan.tsx";
import { needsInWords } from "./left-out.ts";
import { RevisionFields } from "./revision-fields.tsx";
import { type PlanDecision, useDecidePlan } from "./use-decide-plan.ts";
import { emptyWishes, type WishesForm, wishesInputOf } from "./wishes-form.ts";

/** Approves a plan, requests a revision, or rejects it. */
export function PlanFooter({
  plan,
  newer,
  leftOut,
}: {
  plan: Plan;
  newer: Plan | null;
  /** Indexes of the actions that are not to be approved. */
  leftOut: ReadonlySet<number>;
}) {
  return (
    <DecisionBar>
      {plan.status === "PendingApproval" ? (
        <ToDecide plan={plan} leftOut={leftOut} />
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
      ...{ name: "Reject the plan", label: "Reason", variant: "danger", most: 4000 },
      missing: "is required, so that others can see why",
    },
  },
  {
    decision: "revise",
    button: { label: "Request revision", key: "r", icon: FileDiff },
    form: {
      ...{ name: "Send the plan back", label: "What should change", variant: "primary" },
      ...{
        most: 20_000,
        rows: 2,
        missing: "is required, or choose fields: the next version is based on them",
      },
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

/** Approving some: its button counts them, and the reason for declining the others is required. */
const choicesFor = ({ actions }: Plan, leftOut: number): readonly Choice<PlanDecision>[] =>
  leftOut === 0
    ? choices
    : choices.map((choice) =>
        choice.decision === "approve"
          ? {
              ...choice,
              button: { ...choice.button, label: `Approve ${actions.length - leftOut} of ${actions.length}` },
              form: {
                ...{ name: "Approve some of the actions", variant: "primary", most: 2000 },
                label: `Why ${leftOut === 1 ? "the other one is" : `the other ${leftOut} are`} declined`,
                missing: "is required, so that the actor and others can see why",
              },
            }
          : choice,
      );

function ToDecide({ plan, leftOut }: { plan: Plan; leftOut: ReadonlySet<number> }) {
  const mayDecide = useMay("plans:decide");
  const [model] = trpc.actors.model.useSuspenseQuery();
  const [chosen, setChosen] = useState<{ wishes: WishesForm; leaveOut: number[] }>({
    ...{ wishes: emptyWishes, leaveOut: [] },
  });
  const wishes = { ...wishesInputOf(chosen.wishes), leaveOut: chosen.leaveOut };
  const read = revisionWishesSchema.safeParse(wishes);
  const decision = useDecidePlan(plan, wishes, leftOut);
  if (!mayDecide)
    return (
      <p className="text-ink-2">
        <Consequence plan={plan} /> An Editor or an Admin decides. The decision appears here.
      </p>
    );
  return (
    <Decide
      choices={choicesFor(plan, leftOut.size)}
      consequence={<Consequence plan={plan} leftOut={leftOut} />}
      blocked={{
        revise: read.success ? null : "Correct the fields below first.",
        approve:
          leftOut.size > 0 && leftOut.size === plan.actions.length
            ? "Choose at least one action, or reject the plan."
            : null,
      }}
      fields={{
        revise: (
          <RevisionFields plan={plan} isBuiltIn={model.isBuiltIn} chosen={chosen} onChange={setChosen} />
        ),
      }}
      complete={{ revise: Boolean(read.data) }}
      {...decision}
      decide={(which, text) =>
        // Without a message, the history lists the selected wishes.
        decision.decide(
          which,
          which === "revise" && text.trim() === "" ? wishesInWords(read.data ?? null) : text,
        )
      }
    />
  );
}

/** What approving will do. */
function Consequence({ plan, leftOut = new Set() }: { plan: Plan; leftOut?: ReadonlySet<number> }) {
  const actions = plan.actions.filter(({ index }) => !leftOut.has(index));
  const along = needsInWords(plan.actions, leftOut);
  const failing = actions.filter((action) => evidenceOf(action) === "failing").length;
  const locked = actions.filter((action) => action.kind === "RefineQuery" && action.isLocked).length;
  if (plan.actions.length === 0) return "It proposes no actions; approving closes it.";
  if (actions.length === 0)
    return `${along ? `${along} ` : ""}No action is chosen: choose at least one, or reject the plan.`;
  return (
    <>
      Once it is approved, {leftOut.size > 0 ? "the" : "its"}{" "}
      {actions.length === 1
        ? `${leftOut.size > 0 ? "chosen " : ""}action runs`
        : `${actions.length} ${leftOut.size > 0 ? "chosen " : ""}actions run one by one`}
      , exactly as shown.
      {leftOut.size > 0 && ` The other ${leftOut.size === 1 ? "one is" : `${leftOut.size} are`} declined.`}
      {along && ` ${along}`}
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
