import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { RequiredFactor } from "@/components/auth/second-factor/required-factor.tsx";
import { api, HydrateClient, isSignedIn, lacksSecondFactor } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Set up a second factor" };

export default async function SecondFactorPage() {
  if (!(await isSignedIn())) redirect("/sign-in");
  if (!(await lacksSecondFactor())) redirect("/home");
  await api.session.secondFactors.prefetch();
  return (
    <HydrateClient>
      <RequiredFactor />
    </HydrateClient>
  );
}
