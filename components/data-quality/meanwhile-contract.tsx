"use client";
import { EditedMeanwhile } from "@/components/edits/edited-meanwhile.tsx";
import type { EditBase } from "@/components/edits/use-edit-base.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { contractDifferenceWords } from "./contract-difference-words.ts";
import type { ContractForm } from "./contract-form.ts";
import { mergeContracts } from "./merge-contract.ts";

/** Shows changes others saved while a contract is being edited, and merges them. */
export function MeanwhileContract({
  id,
  edit,
  sources,
  onSave,
}: {
  id: number;
  edit: EditBase<ContractForm>;
  sources: readonly { id: number; name: string }[];
  onSave: () => void;
}) {
  const edits = trpc.dataQuality.contractEdits.useQuery(
    { id, since: edit.base?.revision },
    { enabled: edit.isBehind, refetchInterval: 20_000 },
  );
  return (
    <EditedMeanwhile
      thing="contract"
      edit={edit}
      edits={edits.data?.items ?? []}
      merge={mergeContracts}
      wordsOf={(difference, sides) => contractDifferenceWords(difference, sides, sources)}
      onSave={onSave}
    />
  );
}
