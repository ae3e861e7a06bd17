import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ConnectPage } from "@/components/connect/connect-page.tsx";
import { api, HydrateClient, isSignedIn, signInPath } from "@/components/trpc/server.tsx";
import { configuredOidc } from "@/server/auth/oidc.ts";
import { permissions } from "@/server/auth/permissions.ts";
import { env, publicUrl } from "@/server/env.ts";
import { toolsFor } from "@/server/mcp/tools.ts";

export const metadata: Metadata = { title: "Connect an assistant" };

export default async function Page() {
  if (!(await isSignedIn())) redirect(await signInPath());
  const { role } = await api.session.me();
  const tools = toolsFor({ role, scopes: null, projectIds: null }).map(
    ({ name, title, description, permission }) => ({
      ...{ name, title, description },
      scope: permissions[permission]?.scope ?? "Read",
    }),
  );
  const known = env().PUBLIC_URL ? publicUrl() : null;
  return (
    <HydrateClient>
      <ConnectPage tools={tools} publicUrl={known} issuer={configuredOidc()?.issuer ?? null} />
    </HydrateClient>
  );
}
