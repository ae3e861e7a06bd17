"use client";
import { useSyncExternalStore } from "react";
import { type LostSession, lostSession, sessionReturns, watchLostSession } from "./lost-session.ts";

export const useLostSession = (): LostSession =>
  useSyncExternalStore(watchLostSession, lostSession, () => "held");

/** Changes each time the user signs in again on this page. */
export const useSessionReturns = (): number =>
  useSyncExternalStore(watchLostSession, sessionReturns, () => 0);
