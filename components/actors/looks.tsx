/** How the statuses of actors, plans, and cycles look: an icon with its own shape, a word, and a hint. */

import { Badge } from "@/components/ui/badge.tsx";
import {
  Bot,
  BrainCircuit,
  CirclePause,
  CirclePlay,
  ClockFading,
  FileDiff,
  Hourglass,
  type LucideIcon,
  OctagonX,
  Pencil,
  RotateCcw,
  TimerReset,
} from "@/components/ui/icons.tsx";
import { Status, type StatusKind } from "@/components/ui/status.tsx";
import type {
  ActorStatus as ActorState,
  Phase,
  PlanStatus as PlanState,
  Trigger,
} from "@/server/actors/states.ts";

type Look = { kind: StatusKind; icon?: LucideIcon; word: string; hint: string };

export const ActorIcon = Bot;
export const ThinkIcon = BrainCircuit;

const actorLooks: Record<ActorState, Look & { tone: "neutral" | "ok" | "critical" | "stalled" | "accent" }> =
  {
    Draft: {
      ...{ kind: "neutral", icon: Pencil, word: "Draft", tone: "neutral" },
      hint: "It is being set up, or has not begun yet.",
    },
    Active: {
      ...{ kind: "ok", word: "Active", tone: "ok" },
      hint: "It thinks after its own subscriptions have run, and when people ask it to.",
    },
    Paused: {
      ...{ kind: "stalled", icon: CirclePause, word: "Paused", tone: "stalled" },
      hint: "It does not think. Its subscriptions keep running.",
    },
    Failed: {
      ...{ kind: "critical", word: "Failed", tone: "critical" },
      hint: "Its last cycle failed; it does not think until someone resumes it.",
    },
    Archived: { kind: "neutral", word: "Archived", tone: "neutral", hint: "Archived: no longer listed." },
  };

export function ActorStatus({ status }: { status: ActorState }) {
  const { kind, icon, word, hint, tone } = actorLooks[status];
  return (
    <span title={hint}>
      <Badge tone={tone} className="rounded-full px-2">
        <Status kind={kind} {...(icon && { icon })} className="gap-1 [&_svg]:size-3.5">
          {word}
        </Status>
      </Badge>
    </span>
  );
}

const planLooks: Record<PlanState, Look> = {
  PendingApproval: {
    ...{ kind: "warning", icon: Hourglass, word: "Pending approval" },
    hint: "None of its actions runs until someone decides.",
  },
  Executing: { kind: "running", word: "Executing", hint: "It was approved; its actions run one by one." },
  Executed: { kind: "ok", word: "Executed", hint: "It was approved, and its actions have run." },
  Rejected: { kind: "critical", word: "Rejected", hint: "It is finished; nothing more runs." },
  RevisionRequested: {
    ...{ kind: "stalled", icon: FileDiff, word: "Revision requested" },
    hint: "It was sent back with feedback; the next version is being made from it.",
  },
  Expired: {
    ...{ kind: "neutral", icon: ClockFading, word: "Expired" },
    hint: "The data it was based on changed before anyone decided.",
  },
};

export function PlanStatus({ status }: { status: PlanState }) {
  const { kind, icon, word, hint } = planLooks[status];
  return (
    <span title={hint}>
      <Status kind={kind} {...(icon && { icon })}>
        {word}
      </Status>
    </span>
  );
}

export const planWord = (status: PlanState): string => planLooks[status].word;

/** Why a think cycle started, in words. */
export const triggerWords: Record<Trigger, { icon: LucideIcon; word: string; hint: string }> = {
  InitialSetup: { icon: CirclePlay, word: "Initial setup", hint: "Its first look at the data source" },
  SubscriptionExecution: {
    ...{ icon: TimerReset, word: "After its subscriptions ran" },
    hint: "One of its subscriptions ran, or someone started a think cycle",
  },
  UserInstruction: { icon: RotateCcw, word: "Instruction", hint: "Someone told it what to change" },
};

export const phaseIcon = (phase: Phase): { kind: StatusKind; icon?: LucideIcon } =>
  phase === "Completed"
    ? { kind: "ok" }
    : phase === "Failed"
      ? { kind: "critical", icon: OctagonX }
      : { kind: "running" };
