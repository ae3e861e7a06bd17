"use client";
import type { ReactNode } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { isLasting } from "./is-lasting.ts";
import { KnownFailureLine } from "./known-failure-line.tsx";

/** What of a contract's failures is known at this time, of all its rules; nothing if none is. */
export function ContractKnownFailures({
  contractId,
  now,
  section,
}: {
  contractId: number;
  now: number | null;
  section: (content: ReactNode) => ReactNode;
}) {
  const { data } = trpc.dataQuality.knownFailures.useQuery({ id: contractId });
  const lasting = (data?.items ?? []).filter((known) => now !== null && isLasting(known, now));
  if (lasting.length === 0) return null;
  return section(
    <ul aria-label="Known failures" className="flex flex-col gap-1">
      {lasting.map((known) => (
        <li key={known.id}>
          <KnownFailureLine contractId={contractId} known={known} ofRule />
        </li>
      ))}
    </ul>,
  );
}
