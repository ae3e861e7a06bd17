import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { accountsInput, loadAccountFilters } from "@/components/service-accounts/list-input.ts";
import { ServiceAccountsTable } from "@/components/service-accounts/service-accounts-table.tsx";
import { ForPermission } from "@/components/shell/for-permission.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Service accounts" };

export default async function ServiceAccountsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await api.serviceAccounts.page.prefetch(accountsInput(await loadAccountFilters(searchParams)));
  return (
    <HydrateClient>
      <ForPermission title="Service accounts" permission="users:manage">
        <ServiceAccountsTable />
      </ForPermission>
    </HydrateClient>
  );
}
