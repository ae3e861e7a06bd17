"use client";
import { messageOf } from "@/components/trpc/errors.ts";
import { UntilDialog } from "@/components/ui/until-dialog.tsx";
import type { SilenceActions } from "./silence-items.tsx";

/** What goes on and what does not. */
const descriptions = {
  subscription: "It keeps running, and its task and anomalies are kept, but nobody is notified.",
  incident:
    "Nobody is notified about it, nor about the subscriptions and contracts that have a problem in it now. They go on running.",
  contract: "It is still evaluated, and its task is kept, but nobody is notified.",
};

/** Asks until when to silence something, and why. */
export function SilenceDialog({
  name,
  of,
  actions,
  ...dialog
}: {
  name: string;
  of: keyof typeof descriptions;
  actions: Pick<SilenceActions, "silenceUntil">;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <UntilDialog
      {...dialog}
      title={`Silence “${name}”`}
      description={descriptions[of]}
      confirm="Silence"
      reason="optional"
      onConfirm={actions.silenceUntil}
      explain={messageOf}
    />
  );
}
