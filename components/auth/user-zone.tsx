"use client";
import { type ReactNode, useEffect, useState } from "react";
import { zoneCookie } from "@/server/auth/zone-cookie.ts";
import { remember } from "../shell/navigation-cookies.ts";
import { browserZone, ZoneProvider } from "../ui/zone.tsx";
import { useMe } from "./use-me.ts";

/** Tells the server the browser's time zone, for the next page and the next sign-in. */
export function BrowserZone() {
  useEffect(() => remember(zoneCookie, browserZone()), []);
  return null;
}

/**
 * Shows times in the user's zone, or in the browser's while they have none. `known` is the one in the cookie, with
 * which the server renders.
 */
export function UserZone({ known, children }: { known: string | null; children: ReactNode }) {
  const { timeZone } = useMe();
  const [browser, setBrowser] = useState(known);
  useEffect(() => setBrowser(browserZone()), []);
  return <ZoneProvider zone={timeZone ?? browser ?? "UTC"}>{children}</ZoneProvider>;
}
