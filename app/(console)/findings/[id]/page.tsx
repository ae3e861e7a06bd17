import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { FindingPage } from "@/components/findings/finding-page.tsx";
import { kindWords } from "@/components/findings/finding-words.ts";
import { loadFinding } from "@/components/findings/load-finding.ts";
import { neighborsInput } from "@/components/findings/shown-input.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { kind, tableName } = await loadFinding((await params).id);
  return { title: `${kindWords[kind]} in ${tableName}` };
}

export default async function Page({ params }: Props) {
  const { id, dataSourceId, examples } = await loadFinding((await params).id);
  const { projectId } = await api.dataSources.get({ id: dataSourceId });
  await Promise.all([
    api.findings.get.prefetch({ id }),
    api.findings.list.prefetch(neighborsInput(dataSourceId)),
    examples !== null && api.findings.samples.prefetch({ id }),
  ]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        {/* From one finding to the next nothing of the former's decision stays. */}
        <FindingPage key={id} id={id} />
      </InProject>
    </HydrateClient>
  );
}
