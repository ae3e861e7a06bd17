import type { Metadata } from "next";
import { ApiKeysTable } from "@/components/api-keys/api-keys-table.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "API keys" };

export default async function ApiKeysPage() {
  await api.apiKeys.list.prefetch();
  return (
    <HydrateClient>
      <ApiKeysTable />
    </HydrateClient>
  );
}
