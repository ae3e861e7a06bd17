"use client";
import { useEffect } from "react";
import { latePart, useLatePart } from "@/components/ui/late-part.ts";

/** The parser of schedules, and what shows what it finds. */
export const lateCron = latePart(() => import("./cron-parts.ts"));

/** Loads it with the first schedule on the page, and again with the next change if that failed. */
export function useCron(expression: string) {
  const state = useLatePart(lateCron);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change is an occasion to try again
  useEffect(() => {
    // What is without it works: it lacks words.
    void lateCron.load().catch(() => {});
  }, [expression]);
  return state;
}
