"use client";
import { scheduleWords } from "@/components/cron/schedule-words.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import { contractInputOf, formOf } from "./contract-form.ts";

/** Asks before the schedule is switched on or off: that is a change of the contract, and drops rule results. */
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
        // As it is stored now: what somebody else has saved since this page was read stays.
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
          ? `It will be evaluated by itself: ${words} (${contract.timezone}).`
          : `It is no longer evaluated by itself (${words}), and nobody is alerted. “Evaluate now” still works.`}
      </p>
      <p>
        As with every change of a contract, the results per rule of past evaluations are removed. Scores and
        counts stay.
      </p>
    </ConfirmDialog>
  );
}
