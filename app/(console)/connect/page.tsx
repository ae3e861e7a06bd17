import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ConnectPage } from "@/components/connect/connect-page.tsx";
import { api, HydrateClient, isSignedIn, signInPath } from "@/components/trpc/server.tsx";
import { permissions } from "@/server/auth/permissions.ts";
import { pageServices } from "@/server/process/page-services.ts";

export const metadata: Metadata = { title: "Connect an assistant" };

export default async function Page() {
  if (!(await isSignedIn())) redirect(await signInPath());
  const { toolsFor, address, issuer } = pageServices();
  const { role } = await api.session.me();
  const tools = toolsFor(role).map(({ name, title, description, permission }) => ({
    ...{ name, title, description },
    scope: permissions[permission]?.scope ?? "Read",
  }));
  const { url, isStated } = address();
  return (
    <HydrateClient>
      <ConnectPage tools={tools} publicUrl={isStated ? url : null} issuer={issuer()} />
    </HydrateClient>
  );
}
