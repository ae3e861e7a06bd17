"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { plural } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Query } from "@/server/queries/schema.ts";

/** Asks before a query leaves every list, and what runs it with it. */
export function ArchiveQuery({
  query,
  onClose,
  onArchived,
}: {
  query: Pick<Query, "id" | "name" | "subscriptionCount">;
  onClose: () => void;
  onArchived?: () => void;
}) {
  const utils = trpc.useUtils();
  const archive = trpc.queries.archive.useMutation();
  const { id, name, subscriptionCount } = query;
  const subscriptions = plural(subscriptionCount, "subscription");
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Archive “${name}”?`}
      confirm={subscriptionCount > 0 ? `Archive query and ${subscriptions}` : "Archive query"}
      explain={messageOf}
      onConfirm={async () => {
        // What was shown here is archived with it; what has come since is a reason to ask again.
        await archive.mutateAsync({ id, cascade: subscriptionCount > 0 });
        onArchived?.();
        toast.success(`“${name}” is archived`);
        await Promise.all([utils.queries.list.invalidate(), utils.subscriptions.invalidate()]);
      }}
    >
      <p>It leaves every list, and its versions are kept. An Admin can bring it back.</p>
      {subscriptionCount > 0 && (
        <p>
          <strong>
            {subscriptions} {subscriptionCount === 1 ? "runs" : "run"} this query
          </strong>{" "}
          and {subscriptionCount === 1 ? "is" : "are"} archived with it: nothing is run and nobody is told any
          more.
        </p>
      )}
    </ConfirmDialog>
  );
}
