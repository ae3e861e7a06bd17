import type { Metadata } from "next";
import { TourPage } from "@/components/tour/tour-page.tsx";
import { api, HydrateClient, isSignedIn } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Tour of the demo" };

export default async function Tour() {
  // The console layout redirects to the sign-in page.
  if (!(await isSignedIn())) return null;
  await Promise.all([api.gettingStarted.tour.prefetch(), api.projects.list.prefetch()]);
  return (
    <HydrateClient>
      <TourPage />
    </HydrateClient>
  );
}
