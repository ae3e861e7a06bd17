"use client";
import { trpc } from "../../trpc/client.tsx";

/** The user's own second factors. */
export function useFactors() {
  const [factors] = trpc.session.secondFactors.useSuspenseQuery();
  return factors;
}

export type Factors = ReturnType<typeof useFactors>;

/** Of a dialog that adds one. `onAdded` gets the recovery codes that come with the first. */
export type AddFactorProps = {
  needsPassword: boolean;
  onClose: () => void;
  onAdded: (codes: string[] | null) => void;
};
