"use client";
import { useRouter } from "next/navigation";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { plural } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Query } from "@/server/queries/schema.ts";

/** Confirms archiving a query and its subscriptions. */
export function ArchiveQuery({
  query,
  onClose,
  onArchived,
}: {
  query: Pick<Query, "id" | "name" | "subscriptionCount" | "pendingVersion">;
  onClose: () => void;
  onArchived?: () => void;
}) {
  const utils = trpc.useUtils();
  const router = useRouter();
  const { href } = useProject();
  const { data: workflow } = trpc.approvals.workflow.useQuery();
  const archive = trpc.queries.archive.useMutation();
  const { id, name, subscriptionCount, pendingVersion } = query;
  const mustWait = workflow?.isOn && (subscriptionCount > 0 || pendingVersion !== null);
  const subscriptions = plural(subscriptionCount, "subscription");
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Archive “${name}”?`}
      confirm={
        mustWait
          ? "Request approval"
          : subscriptionCount > 0
            ? `Archive query and ${subscriptions}`
            : "Archive query"
      }
      explain={messageOf}
      onConfirm={async () => {
        // Takes subscriptions along only if some were shown here: if the first one is new, the server refuses.
        const { approvalId } = await archive.mutateAsync({ id, cascade: subscriptionCount > 0 });
        if (approvalId !== null) {
          toast.success(`Archiving “${name}” waits for approval`, {
            action: { label: "Open request", onClick: () => router.push(href(`/approvals/${approvalId}`)) },
          });
          await utils.approvals.invalidate();
          return;
        }
        onArchived?.();
        toast.success(`“${name}” is archived`);
        await Promise.all([utils.queries.list.invalidate(), utils.subscriptions.invalidate()]);
      }}
    >
      <p>It disappears from every list, and its versions are kept. An Admin can restore it.</p>
      {subscriptionCount > 0 && (
        <p>
          <strong>
            {subscriptions} {subscriptionCount === 1 ? "runs" : "run"} this query
          </strong>{" "}
          and {subscriptionCount === 1 ? "is" : "are"} archived with it: nothing runs and nobody is notified.
        </p>
      )}
      {mustWait && (
        <p>The approval workflow is on: an Admin has to approve this first. Until then, nothing changes.</p>
      )}
    </ConfirmDialog>
  );
}
