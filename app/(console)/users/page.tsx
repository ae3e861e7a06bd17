import type { Metadata } from "next";
import { ForPermission } from "@/components/shell/for-permission.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";
import { UsersTable } from "@/components/users/users-table.tsx";

export const metadata: Metadata = { title: "Users" };

export default async function UsersPage() {
  await api.users.list.prefetch();
  return (
    <HydrateClient>
      <ForPermission title="Users" permission="users:manage">
        <UsersTable />
      </ForPermission>
    </HydrateClient>
  );
}
