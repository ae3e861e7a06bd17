import type { Metadata } from "next";
import { SettingsPage } from "@/components/settings/settings-page.tsx";
import { ForPermission } from "@/components/shell/for-permission.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
  await Promise.all([
    api.settings.get.prefetch(),
    api.settings.origin.prefetch(),
    api.users.signInPolicy.prefetch(),
  ]);
  return (
    <HydrateClient>
      <ForPermission title="Settings" permission="settings:manage">
        <SettingsPage />
      </ForPermission>
    </HydrateClient>
  );
}
