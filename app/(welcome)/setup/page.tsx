import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { SetupForm } from "@/components/auth/setup-form.tsx";
import { api } from "@/components/trpc/server.tsx";
import { localHeader } from "@/server/request-headers.ts";

export const metadata: Metadata = { title: "Set up" };

export default async function SetupPage() {
  if (!(await api.session.setupStatus()).needed) redirect("/sign-in");
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
