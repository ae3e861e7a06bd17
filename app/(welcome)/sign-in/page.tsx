import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { nextPath } from "@/components/auth/next-path.ts";
import { SignInForm } from "@/components/auth/sign-in-form.tsx";
import { api, isSignedIn } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const next = nextPath((await searchParams).next);
  if (await isSignedIn()) redirect(next);
  if ((await api.session.setupStatus()).needed) redirect("/setup");
  return (
    <>
      <h1 className="sr-only">Sign in</h1>
      <SignInForm next={next} />
    </>
  );
}
