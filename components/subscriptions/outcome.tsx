/** Outcome: how an execution ended, as an icon of its own shape and a word. */
import { BellOff, BellRing, CircleCheck, type LucideIcon, OctagonX, Ruler, TimerOff } from "lucide-react";
import { Status, StatusIcon, type StatusKind } from "@/components/ui/status.tsx";
import type { ExecutionStatus } from "@/server/subscriptions/schema.ts";

export type OutcomeLook = {
  kind: StatusKind;
  icon?: LucideIcon;
  word: string;
  /** What is not plain from the word. */
  hint: string;
  /** The shape of its bar: how tall it is of the whole, and what it looks like. */
  bar: { height: number; shape: "full" | "hollow" | "pointed" | "split" };
};

export const outcomeLooks: Record<ExecutionStatus, OutcomeLook> = {
  NotificationSent: {
    kind: "ok",
    icon: BellRing,
    word: "Notified",
    hint: "The condition was met, and the recipients were told. Counts as successful.",
    bar: { height: 1, shape: "full" },
  },
  NoResults: {
    kind: "ok",
    icon: CircleCheck,
    word: "No results",
    hint: "The query returned no rows. Counts as successful.",
    bar: { height: 0.4, shape: "full" },
  },
  NotificationSilenced: {
    kind: "neutral",
    icon: BellOff,
    word: "Silenced",
    hint: "The condition was met while it was silenced, so nobody was told. Counts as successful.",
    bar: { height: 1, shape: "hollow" },
  },
  BelowThreshold: {
    kind: "warning",
    icon: Ruler,
    word: "Threshold not met",
    hint: "There were rows, but their number did not meet the condition, so nobody was told. Counts as not successful.",
    bar: { height: 0.65, shape: "split" },
  },
  Failed: {
    kind: "critical",
    icon: OctagonX,
    word: "Failed",
    hint: "The query could not be run. Counts as not successful.",
    bar: { height: 1, shape: "pointed" },
  },
  Timeout: {
    kind: "critical",
    icon: TimerOff,
    word: "Timed out",
    hint: "The time limit was reached before there was a result. Counts as not successful.",
    bar: { height: 1, shape: "split" },
  },
  Created: {
    kind: "running",
    word: "Running",
    hint: "It waits or runs. Counts as not successful until it has ended.",
    bar: { height: 0.4, shape: "hollow" },
  },
};

export function Outcome({ status, className }: { status: ExecutionStatus; className?: string }) {
  const { kind, icon, word, hint } = outcomeLooks[status];
  return (
    <span title={hint}>
      <Status kind={kind} {...(icon && { icon })} {...(className && { className })}>
        {word}
      </Status>
    </span>
  );
}

export function OutcomeIcon({ status, className }: { status: ExecutionStatus; className?: string }) {
  const { kind, icon } = outcomeLooks[status];
  return <StatusIcon kind={kind} {...(icon && { icon })} {...(className && { className })} />;
}
