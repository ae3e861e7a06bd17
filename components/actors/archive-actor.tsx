"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { plural } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Actor } from "@/server/actors/schema.ts";

/** Asks before an actor leaves every list, and says what goes on without it. */
export function ArchiveActor({
  actor: { id, name, pendingPlanCount, queryCount, subscriptionCount },
  onArchived,
  ...dialog
}: {
  actor: Actor;
  onArchived?: () => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const utils = trpc.useUtils();
  const archive = trpc.actors.archive.useMutation();
  return (
    <ConfirmDialog
      {...dialog}
      title={`Archive “${name}”?`}
      confirm="Archive actor"
      explain={messageOf}
      onConfirm={async () => {
        await archive.mutateAsync({ id });
        onArchived?.();
        toast.success(`“${name}” is archived`);
        await Promise.all([
          utils.actors.list.invalidate(),
          utils.actors.plans.invalidate(),
          utils.actors.pendingCount.invalidate(),
          utils.actors.archived.invalidate(),
        ]);
      }}
    >
      <p>
        It never thinks again and leaves every list.
        {pendingPlanCount > 0 &&
          ` ${plural(pendingPlanCount, "plan")} that ${pendingPlanCount === 1 ? "waits expires" : "wait expire"}.`}
      </p>
      {queryCount > 0 && (
        <p>
          What it made stays, and runs on: {plural(queryCount, "query", "queries")} and{" "}
          {plural(subscriptionCount, "subscription")}.
        </p>
      )}
      <p>Its plans and what it thought stay stored for audit. An Admin can restore it.</p>
    </ConfirmDialog>
  );
}
