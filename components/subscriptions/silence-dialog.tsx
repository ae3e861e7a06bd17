"use client";
import { messageOf } from "@/components/trpc/errors.ts";
import { UntilDialog } from "@/components/ui/until-dialog.tsx";
import type { SubscriptionActions } from "./use-subscription-actions.ts";

export function SilenceDialog({
  queryName,
  actions,
  ...dialog
}: {
  queryName: string;
  actions: SubscriptionActions;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <UntilDialog
      {...dialog}
      title={`Silence “${queryName}”`}
      description="It keeps running, and its task and anomalies are kept, but nobody is notified."
      confirm="Silence"
      onConfirm={actions.silenceUntil}
      explain={messageOf}
    />
  );
}
