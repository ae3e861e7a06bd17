import type { Metadata } from "next";
import { ProfilePage } from "@/components/auth/profile-page.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Profile" };

export default async function Page() {
  await Promise.all([
    api.notifications.preferences.prefetch(),
    api.session.secondFactors.prefetch(),
    api.session.chatAccounts.prefetch(),
  ]);
  return (
    <HydrateClient>
      <ProfilePage />
    </HydrateClient>
  );
}
