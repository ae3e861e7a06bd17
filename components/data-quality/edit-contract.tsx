"use client";
import { FormPage } from "@/components/shell/form-page.tsx";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ContractEditor } from "./contract-editor.tsx";

/** The editor of a contract that is there. */
export function EditContract({ id }: { id: number }) {
  useClearView();
  // The form does not change under the hands of whoever edits; it tells them that somebody else has saved.
  const [contract] = trpc.dataQuality.contract.useSuspenseQuery({ id }, { refetchInterval: 20_000 });
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery({});
  return (
    <FormPage
      title={`Edit ${contract.name}`}
      parent={{ href: `/data-quality/contracts/${id}`, label: "Contract" }}
      permission="contracts:configure"
    >
      <ContractEditor contract={contract} sources={sources} />
    </FormPage>
  );
}
