import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { formOf } from "@/components/data-quality/contract-form.ts";
import { EditContract } from "@/components/data-quality/edit-contract.tsx";
import { loadContract } from "@/components/data-quality/load-contract.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";
import { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Edit ${(await loadContract((await params).id)).name}` };
}

export default async function EditContractPage({ params }: Props) {
  const contract = await loadContract((await params).id);
  const { id, projectId, revision } = contract;
  await Promise.all([api.dataQuality.contract.prefetch({ id }), api.dataSources.list.prefetch({})]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <EditContract
          id={id}
          start={{ revision, values: formOf(contract), sentences: contract.rules.map(ruleSentence) }}
        />
      </InProject>
    </HydrateClient>
  );
}
