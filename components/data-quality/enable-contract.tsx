"use client";
import { scheduleWords } from "@/components/cron/schedule-words.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import { contractInputOf, formOf } from "./contract-form.ts";

/** Confirms turning the schedule on or off. */
export function EnableContract({
  contract,
  ...dialog
}: {
  contract: Contract;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const utils = trpc.useUtils();
  const update = trpc.dataQuality.updateContract.useMutation();
  const enabled = !contract.enabled;
  const words = scheduleWords(contract.cronExpression) ?? contract.cronExpression;
  return (
    <ConfirmDialog
      {...dialog}
      variant={enabled ? "primary" : "danger"}
      title={`${enabled ? "Enable" : "Disable"} the schedule of “${contract.name}”?`}
      confirm={enabled ? "Enable schedule" : "Disable schedule"}
      explain={messageOf}
      onConfirm={async () => {
        // Starts from the stored contract, to keep what others saved since this page loaded.
        const stored = await utils.dataQuality.contract.fetch({ id: contract.id }, { staleTime: 0 });
        await update.mutateAsync({
          id: contract.id,
          baseRevision: stored.revision,
          ...contractInputOf({ ...formOf(stored), enabled }),
        });
        await utils.dataQuality.invalidate();
        toast.success(enabled ? "The schedule is on" : "The schedule is off");
      }}
    >
      <p>
        {enabled
          ? `It will be evaluated on schedule: ${words} (${contract.timezone}).`
          : `It is no longer evaluated on schedule (${words}), and nobody is notified. “Evaluate now” still works.`}
      </p>
    </ConfirmDialog>
  );
}
