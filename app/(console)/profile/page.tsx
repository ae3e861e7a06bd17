import type { Metadata } from "next";
import { ProfilePage } from "@/components/auth/profile-page.tsx";

export const metadata: Metadata = { title: "Profile" };

export default function Page() {
  return <ProfilePage />;
}
