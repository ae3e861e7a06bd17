"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { ContractEditor } from "./contract-editor.tsx";
import { NotAllowed } from "./not-allowed.tsx";
import { useMay } from "./use-may.ts";

/** The editor of a contract that is there. */
export function EditContract({ id }: { id: number }) {
  const may = useMay();
  // What is being edited does not change under the hands of who edits it.
  const [contract] = trpc.dataQuality.contract.useSuspenseQuery({ id }, { staleTime: Infinity });
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery({});
  if (!may.configure) return <NotAllowed what="Contracts are changed by Editors and Admins." />;
  // The cache may first give an older state; the form begins anew with the one that the server has.
  return <ContractEditor key={contract.updatedAt} contract={contract} sources={sources} />;
}
