"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { plural } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Actor } from "@/server/actors/schema.ts";

/** Confirms archiving an actor, and says what keeps running without it. */
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
          utils.actors.page.invalidate(),
          utils.actors.plans.invalidate(),
          utils.actors.pendingCount.invalidate(),
          utils.actors.archived.invalidate(),
        ]);
      }}
    >
      <p>
        It stops thinking and disappears from every list.
        {pendingPlanCount > 0 &&
          ` ${plural(pendingPlanCount, "plan")} that ${pendingPlanCount === 1 ? "waits expires" : "wait expire"}.`}
      </p>
      {queryCount > 0 && (
        <p>
          What it created stays and keeps running: {plural(queryCount, "query", "queries")} and{" "}
          {plural(subscriptionCount, "subscription")}.
        </p>
      )}
      <p>Its plans and think cycles are kept for audit. An Admin can restore it.</p>
    </ConfirmDialog>
  );
}
