"use client";
import { scheduleWords } from "@/components/cron/schedule-words.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";

/** Confirms archiving a subscription. */
export function ArchiveSubscription({
  subscription: { id, title, cronExpression, enabled, recipientIds },
  onArchived,
  ...dialog
}: {
  subscription: Subscription;
  onArchived?: () => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const utils = trpc.useUtils();
  const archive = trpc.subscriptions.archive.useMutation();
  const words = scheduleWords(cronExpression) ?? cronExpression;
  const told =
    recipientIds.length === 1 ? "its recipient hears" : `its ${recipientIds.length} recipients hear`;
  return (
    <ConfirmDialog
      {...dialog}
      title={`Archive the subscription to “${title}”?`}
      confirm="Archive subscription"
      explain={messageOf}
      onConfirm={async () => {
        await archive.mutateAsync({ id });
        onArchived?.();
        toast.success(`The subscription to “${title}” is archived`);
        await Promise.all([
          utils.subscriptions.list.invalidate(),
          utils.anomalies.invalidate(),
          utils.queries.list.invalidate(),
        ]);
      }}
    >
      <p>
        {enabled
          ? `It no longer runs (${words}) and disappears from every list.`
          : "It disappears from every list."}
        {recipientIds.length > 0 && ` From then on ${told} nothing of it.`}
      </p>
      <p>Its runs are kept for audit. The query is not affected.</p>
    </ConfirmDialog>
  );
}
