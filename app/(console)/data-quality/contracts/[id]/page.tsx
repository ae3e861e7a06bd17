import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { ContractPage } from "@/components/data-quality/contract-page.tsx";
import { loadContract } from "@/components/data-quality/load-contract.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await loadContract((await params).id)).name };
}

export default async function Page({ params }: Props) {
  const { id, projectId } = await loadContract((await params).id);
  await Promise.all([
    api.dataQuality.contract.prefetch({ id }),
    api.dataQuality.evaluations.prefetch({ id, take: 100 }),
  ]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <ContractPage id={id} />
      </InProject>
    </HydrateClient>
  );
}
