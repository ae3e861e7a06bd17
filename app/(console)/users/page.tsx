import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ForPermission } from "@/components/shell/for-permission.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";
import { loadUserFilters, usersInput } from "@/components/users/list-input.ts";
import { UsersTable } from "@/components/users/users-table.tsx";

export const metadata: Metadata = { title: "Users" };

export default async function UsersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await api.users.page.prefetch(usersInput(await loadUserFilters(searchParams)));
  return (
    <HydrateClient>
      <ForPermission title="Users" permission="users:manage">
        <UsersTable />
      </ForPermission>
    </HydrateClient>
  );
}
