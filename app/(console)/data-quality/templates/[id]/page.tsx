import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { loadTemplate } from "@/components/data-quality/load-template.ts";
import { TemplatePage } from "@/components/data-quality/template-page.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await loadTemplate((await params).id)).name };
}

export default async function Page({ params }: Props) {
  const { id, projectId } = await loadTemplate((await params).id);
  await Promise.all([api.dataQuality.template.prefetch({ id }), api.dataSources.list.prefetch({})]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <TemplatePage id={id} />
      </InProject>
    </HydrateClient>
  );
}
