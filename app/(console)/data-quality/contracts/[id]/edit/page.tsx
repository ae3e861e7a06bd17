import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { EditContract } from "@/components/data-quality/edit-contract.tsx";
import { loadContract } from "@/components/data-quality/load-contract.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Edit ${(await loadContract((await params).id)).name}` };
}

export default async function EditContractPage({ params }: Props) {
  const { id, projectId } = await loadContract((await params).id);
  await Promise.all([api.dataQuality.contract.prefetch({ id }), api.dataSources.list.prefetch({})]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <EditContract id={id} />
      </InProject>
    </HydrateClient>
  );
}
