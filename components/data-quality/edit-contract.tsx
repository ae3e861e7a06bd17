"use client";
import { FormPage } from "@/components/shell/form-page.tsx";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ContractEditor } from "./contract-editor.tsx";

/** The editor of a contract that is there. */
export function EditContract({ id }: { id: number }) {
  useClearView();
  // What is being edited does not change under the hands of who edits it.
  const [contract] = trpc.dataQuality.contract.useSuspenseQuery({ id }, { staleTime: Infinity });
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery({});
  return (
    <FormPage
      title={`Edit ${contract.name}`}
      parent={{ href: `/data-quality/contracts/${id}`, label: "Contract" }}
      permission="contracts:configure"
    >
      {/* The cache may first give an older state; the form begins anew with the one that the server has. */}
      <ContractEditor key={contract.updatedAt} contract={contract} sources={sources} />
    </FormPage>
  );
}
