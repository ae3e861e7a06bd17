"use client";
import { FormPage } from "@/components/shell/form-page.tsx";
import { UnlessManaged } from "@/components/stacks/managed-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Name } from "@/components/ui/name.tsx";
import { ContractEditor, type ContractStart } from "./contract-editor.tsx";

/** The editor of an existing contract. */
export function EditContract({ id, start }: { id: number; start: ContractStart }) {
  // The form must not change while someone is editing; a notice says if someone else has saved.
  const [contract] = trpc.dataQuality.contract.useSuspenseQuery({ id }, { refetchInterval: 20_000 });
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery({});
  return (
    <FormPage
      title={
        <>
          Edit <Name>{contract.name}</Name>
        </>
      }
      parent={{ href: `/data-quality/contracts/${id}`, label: "Contract" }}
      permission="contracts:configure"
    >
      <UnlessManaged kind="Contract" id={id}>
        <ContractEditor contract={contract} sources={sources} start={start} />
      </UnlessManaged>
    </FormPage>
  );
}
