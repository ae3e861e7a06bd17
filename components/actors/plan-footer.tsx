"use client";
import { Check, FileDiff, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { Button } from "@/components/ui/button.tsx";
import { FormError } from "@/components/ui/field.tsx";
import { plural } from "@/components/ui/format.ts";
import { Kbd } from "@/components/ui/kbd.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Plan } from "@/server/actors/schema.ts";
import { evidenceOf } from "./action-words.ts";
import { DecidedPlan } from "./decided-plan.tsx";
import { PlanDecisionForm } from "./plan-decision-form.tsx";
import { isReadingKey } from "./reading-key.ts";
import { type PlanDecision, useDecidePlan } from "./use-decide-plan.ts";

/** The decision, in view wherever the page is scrolled to: to be made, or as it was made. */
export function PlanFooter({ plan, newer }: { plan: Plan; newer: Plan | null }) {
  useClearView();
  return (
    <section
      aria-label="Decision"
      className="sticky bottom-0 z-20 -mx-4 mt-8 border-t bg-canvas px-4 py-3 sm:-mx-6 sm:px-6"
    >
      {plan.status === "PendingApproval" ? (
        <ToDecide plan={plan} />
      ) : (
        <DecidedPlan plan={plan} newer={newer} />
      )}
    </section>
  );
}

const keyOf: Record<string, PlanDecision> = { a: "approve", r: "revise", x: "reject" };

function ToDecide({ plan }: { plan: Plan }) {
  const mayDecide = useMay("plans:decide");
  const { decide, isDeciding, failure, forgetFailure } = useDecidePlan(plan);
  const [asking, setAsking] = useState<PlanDecision | null>(null);
  const [texts, setTexts] = useState<Record<PlanDecision, string>>({ approve: "", revise: "", reject: "" });
  const buttons = {
    approve: useRef<HTMLButtonElement>(null),
    revise: useRef<HTMLButtonElement>(null),
    reject: useRef<HTMLButtonElement>(null),
  };
  const ask = (decision: PlanDecision) => {
    forgetFailure();
    setAsking(decision);
  };
  useDecisionKeys(mayDecide && asking === null, ask);
  if (!mayDecide)
    return (
      <p className="text-ink-2">
        <Consequence plan={plan} /> An Editor or an Admin decides; what is decided appears here by itself.
      </p>
    );
  if (asking)
    return (
      <PlanDecisionForm
        key={asking}
        decision={asking}
        text={texts[asking]}
        failure={failure}
        pending={isDeciding}
        onText={(text) => setTexts({ ...texts, [asking]: text })}
        onSend={() => void decide(asking, texts[asking])}
        onCancel={() => {
          const button = buttons[asking];
          setAsking(null);
          forgetFailure();
          requestAnimationFrame(() => button.current?.focus());
        }}
      />
    );
  return (
    <>
      {failure && (
        <div className="pb-3">
          <FormError>{failure}</FormError>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto min-w-0 text-ink-2">
          <Consequence plan={plan} />
        </p>
        <Button
          ref={buttons.reject}
          variant="danger"
          icon={X}
          aria-keyshortcuts="x"
          onClick={() => ask("reject")}
        >
          Reject
          <Key>X</Key>
        </Button>
        <Button ref={buttons.revise} icon={FileDiff} aria-keyshortcuts="r" onClick={() => ask("revise")}>
          Request revision
          <Key>R</Key>
        </Button>
        <Button
          ref={buttons.approve}
          variant="primary"
          icon={Check}
          aria-keyshortcuts="a"
          onClick={() => ask("approve")}
        >
          Approve
          <Key>A</Key>
        </Button>
      </div>
    </>
  );
}

/** Where there is a keyboard. */
function Key({ children }: { children: string }) {
  return (
    <span className="hidden sm:contents">
      <Kbd>{children}</Kbd>
    </span>
  );
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

/** A, R and X, wherever on the page the focus is, in the SQL that is read, too. */
function useDecisionKeys(isOn: boolean, onKey: (decision: PlanDecision) => void): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const decision = keyOf[event.key];
      if (!decision || event.repeat || !isReadingKey(event)) return;
      event.preventDefault();
      latest.current(decision);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOn]);
}
