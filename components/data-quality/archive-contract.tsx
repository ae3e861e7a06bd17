"use client";
import { useRouter } from "next/navigation";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import { targetOf } from "./contract-rows.ts";

/** Confirms archiving a contract. */
export function ArchiveContract({
  contract,
  evaluationCount,
  ...dialog
}: {
  contract: Contract;
  evaluationCount: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { href } = useProject();
  const router = useRouter();
  const utils = trpc.useUtils();
  const archive = trpc.dataQuality.archiveContract.useMutation();
  return (
    <ConfirmDialog
      {...dialog}
      title={`Archive “${contract.name}”?`}
      confirm="Archive contract"
      explain={messageOf}
      onConfirm={async () => {
        await archive.mutateAsync({ id: contract.id });
        router.push(href("/data-quality/contracts"));
        toast.success(`“${contract.name}” is archived`);
        await Promise.all([
          utils.dataQuality.contracts.invalidate(),
          utils.dataQuality.searchContracts.invalidate(),
          utils.dataQuality.overview.invalidate(),
        ]);
      }}
    >
      <p>
        {contract.enabled
          ? "Its schedule stops, and it disappears from every list."
          : "It disappears from every list."}{" "}
        Its recipients are no longer notified.
      </p>
      <p>
        {evaluationCount > 0 && "Its evaluations are kept for audit. "}
        <span className="font-mono text-[0.8125rem]">{targetOf(contract)}</span> loses this contract's score,
        and has no score unless another contract watches it.
      </p>
    </ConfirmDialog>
  );
}
