import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { OidcSignIn } from "@/components/auth/oidc-sign-in.tsx";
import { SetupForm } from "@/components/auth/setup-form.tsx";
import { api } from "@/components/trpc/server.tsx";
import { localHeader } from "@/server/request-headers.ts";

export const metadata: Metadata = { title: "Set up" };

export default async function SetupPage() {
  if (!(await api.session.setupStatus()).needed) redirect("/sign-in");
  const { oidc, password } = await api.session.signInOptions();
  if (!password && oidc)
    return (
      <>
        <div className="flex flex-col gap-1">
          <h1 className="text-base font-semibold">No accounts yet</h1>
          <p className="text-ink-2">
            The first person who signs in, and whom {oidc.name} makes an Admin, sets this service up.
          </p>
        </div>
        <OidcSignIn name={oidc.name} next="/home" isAlone />
      </>
    );
  return (
    <>
      <div className="flex flex-col gap-1">
        <h1 className="text-base font-semibold">No accounts yet</h1>
        <p className="text-ink-2">
          Create the first Admin account. Admins connect data sources and manage who can do what.
        </p>
      </div>
      <SetupForm needsToken={!(await headers()).has(localHeader)} />
    </>
  );
}
