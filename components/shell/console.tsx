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
 * The frame of every page that needs a session. Without one it leads to the sign-in page and back, or to the
 * set-up while nobody exists. It only shows the way: each procedure authorises itself.
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
