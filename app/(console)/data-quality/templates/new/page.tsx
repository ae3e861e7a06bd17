import type { Metadata } from "next";
import { NewTemplate } from "@/components/data-quality/new-template.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "New rule template" };

export default async function NewTemplatePage() {
  await api.dataSources.list.prefetch({});
  return (
    <HydrateClient>
      <NewTemplate />
    </HydrateClient>
  );
}
