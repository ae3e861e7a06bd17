"use client";
/** The time zone in which times are shown, on the server as in the browser. */
import { createContext, type ReactNode, useContext } from "react";

const Zone = createContext("UTC");

export function ZoneProvider({ zone, children }: { zone: string; children: ReactNode }) {
  return <Zone value={zone}>{children}</Zone>;
}

/** Only in the browser. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const useZone = (): string => useContext(Zone);
