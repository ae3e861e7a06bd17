import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ApiKeysTable } from "@/components/api-keys/api-keys-table.tsx";
import { keysInput, loadKeyFilters } from "@/components/api-keys/list-input.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "API keys" };

export default async function ApiKeysPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [filters, { user }] = await Promise.all([loadKeyFilters(searchParams), api.session.me()]);
  await api.apiKeys.page.prefetch(keysInput(filters, user.id));
  return (
    <HydrateClient>
      <ApiKeysTable />
    </HydrateClient>
  );
}
