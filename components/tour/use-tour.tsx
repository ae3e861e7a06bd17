"use client";
import { createContext, type ReactNode, use, useState } from "react";
import { remember } from "../shell/navigation-cookies.ts";
import { trpc } from "../trpc/client.tsx";
import { type Progress, tourCookie } from "./tour-steps.ts";

type Held = { progress: Progress; setProgress: (progress: Progress) => void };

const Context = createContext<Held>({ progress: null, setProgress: () => {} });

/** Keeps how far someone is in the tour, across pages and visits. */
export function TourProvider({ atFirst, children }: { atFirst: Progress; children: ReactNode }) {
  const [progress, setProgress] = useState(atFirst);
  const keep = (next: Progress) => {
    setProgress(next);
    remember(tourCookie, String(next));
  };
  return <Context value={{ progress, setProgress: keep }}>{children}</Context>;
}

export const useTourProgress = () => use(Context);

/** Where its steps lead; null without the demo. */
export function useTourPlaces() {
  const [tour] = trpc.gettingStarted.tour.useSuspenseQuery(undefined, { staleTime: 30_000 });
  return tour;
}
