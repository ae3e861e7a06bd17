import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { readZone } from "@/server/auth/read-zone.ts";
import { zoneCookie } from "@/server/auth/zone-cookie.ts";
import { SessionGuard } from "../auth/session-guard.tsx";
import { BrowserZone, UserZone } from "../auth/user-zone.tsx";
import { TabTitle } from "../needs-attention/tab-title.tsx";
import { LiveUpdates } from "../realtime/live-updates.tsx";
import { readProgress, tourCookie } from "../tour/tour-steps.ts";
import { TourProvider } from "../tour/use-tour.tsx";
import { TrpcProvider } from "../trpc/client.tsx";
import { api, HydrateClient, isSignedIn, lacksSecondFactor, signInPath } from "../trpc/server.tsx";
import { closedGroupsCookie, narrowCookie, readClosedGroups } from "./navigation-cookies.ts";
import { Shell } from "./shell.tsx";

/**
 * The frame of every page that requires a session. Without one, it redirects to sign-in and back, or to the setup page
 * if there are no users; without a second factor that the role needs, to the page that sets one up. This is only navigation: each procedure does its own authorization.
 */
export async function Console({ children }: { children: ReactNode }) {
  if (!(await isSignedIn())) {
    if ((await api.session.setupStatus()).needed) redirect("/setup");
    redirect(await signInPath());
  }
  if (await lacksSecondFactor()) redirect("/second-factor");
  const left = await cookies();
  const tour = readProgress(left.get(tourCookie)?.value);
  await Promise.all([
    api.session.me.prefetch(),
    api.projects.list.prefetch(),
    ...(typeof tour === "number" ? [api.gettingStarted.tour.prefetch()] : []),
  ]);
  const startsNarrow = left.get(narrowCookie)?.value === "yes";
  const closedGroups = readClosedGroups(left.get(closedGroupsCookie)?.value);
  return (
    <TrpcProvider>
      <LiveUpdates />
      <HydrateClient>
        <BrowserZone />
        <UserZone known={readZone(left.get(zoneCookie)?.value)}>
          <TabTitle />
          <TourProvider atFirst={tour}>
            <Shell startsNarrow={startsNarrow} closedAtFirst={closedGroups}>
              {children}
            </Shell>
          </TourProvider>
          <SessionGuard />
        </UserZone>
      </HydrateClient>
    </TrpcProvider>
  );
}
