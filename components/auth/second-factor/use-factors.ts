"use client";
import { trpc } from "../../trpc/client.tsx";

/** The user's own second factors. */
export function useFactors() {
  const [factors] = trpc.session.secondFactors.useSuspenseQuery();
  return factors;
}

export type Factors = ReturnType<typeof useFactors>;
