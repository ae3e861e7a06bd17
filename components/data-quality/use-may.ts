"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { grants } from "@/server/auth/permissions.ts";

/** What the signed-in person may do here. Only for showing: every procedure authorises by itself. */
export function useMay() {
  const [{ role, scopes }] = trpc.session.me.useSuspenseQuery(undefined, { staleTime: 60_000 });
  return {
    evaluate: grants("evaluations:run", role, scopes),
    configure: grants("contracts:configure", role, scopes),
    connect: grants("data-sources:manage", role, scopes),
  };
}
