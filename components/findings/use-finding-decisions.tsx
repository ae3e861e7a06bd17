"use client";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { isReadingKey } from "@/components/ui/reading-key.ts";
import type { Finding } from "@/server/findings/schema.ts";
import { DismissDialog } from "./dismiss-dialog.tsx";

export type Decision = "accept" | "dismiss";

/** Loaded when someone accepts one: it knows the rules of contracts. */
const AcceptDialog = dynamic(async () => (await import("./accept-dialog.tsx")).AcceptDialog, {
  loading: () => null,
});

/** What can still be decided about a finding. */
export const decisionsOf = ({ status }: Pick<Finding, "status">): readonly Decision[] =>
  status === "Accepted" ? [] : status === "Dismissed" ? ["accept"] : ["accept", "dismiss"];

const decisionOfKey: Record<string, Decision> = { a: "accept", d: "dismiss" };

/**
 * The dialogs that decide about findings, and their keys: a makes the current finding a rule, d says that it is no
 * problem. `currentOf` tells which one that is at the moment; nobody who may not decide is asked.
 */
export function useFindingDecisions(currentOf: () => Finding | null): {
  mayDecide: boolean;
  ask: (decision: Decision, finding: Finding) => void;
  dialog: ReactNode;
} {
  const mayDecide = useMay("contracts:configure");
  const [asked, setAsked] = useState<{ decision: Decision; finding: Finding } | null>(null);
  const latest = useRef(currentOf);
  useEffect(() => {
    latest.current = currentOf;
  });
  useEffect(() => {
    if (!mayDecide) return;
    const press = (event: KeyboardEvent) => {
      const decision = decisionOfKey[event.key];
      if (!decision || event.repeat || !isReadingKey(event)) return;
      const finding = latest.current();
      if (!finding || !decisionsOf(finding).includes(decision)) return;
      event.preventDefault();
      setAsked({ decision, finding });
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [mayDecide]);
  const close = () => setAsked(null);
  return {
    mayDecide,
    ask: (decision, finding) => setAsked({ decision, finding }),
    dialog:
      asked &&
      (asked.decision === "accept" ? (
        <AcceptDialog finding={asked.finding} onClose={close} />
      ) : (
        <DismissDialog finding={asked.finding} onClose={close} />
      )),
  };
}
