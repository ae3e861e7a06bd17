import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { SessionGuard } from "../auth/session-guard.tsx";
import { LiveUpdates } from "../realtime/live-updates.tsx";
import { TrpcProvider } from "../trpc/client.tsx";
import { api, HydrateClient, isSignedIn, signInPath } from "../trpc/server.tsx";
import { narrowCookie } from "./narrow-cookie.ts";
import { Shell } from "./shell.tsx";

/**
 * The frame of every page that requires a session. Without one, it redirects to sign-in and back, or to the setup page
 * if there are no users. This is only navigation: each procedure does its own authorization.
 */
export async function Console({ children }: { children: ReactNode }) {
  if (!(await isSignedIn())) {
    if ((await api.session.setupStatus()).needed) redirect("/setup");
    redirect(await signInPath());
  }
  await Promise.all([api.session.me.prefetch(), api.projects.list.prefetch()]);
  const startsNarrow = (await cookies()).get(narrowCookie)?.value === "yes";
  return (
    <TrpcProvider>
      <LiveUpdates />
      <HydrateClient>
        <Shell startsNarrow={startsNarrow}>{children}</Shell>
        <SessionGuard />
      </HydrateClient>
    </TrpcProvider>
  );
}
