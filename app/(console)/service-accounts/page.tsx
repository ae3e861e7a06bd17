import type { Metadata } from "next";
import { ServiceAccountsTable } from "@/components/service-accounts/service-accounts-table.tsx";
import { ForPermission } from "@/components/shell/for-permission.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Service accounts" };

export default async function ServiceAccountsPage() {
  await Promise.all([api.serviceAccounts.list.prefetch(), api.apiKeys.list.prefetch()]);
  return (
    <HydrateClient>
      <ForPermission title="Service accounts" permission="users:manage">
        <ServiceAccountsTable />
      </ForPermission>
    </HydrateClient>
  );
}
