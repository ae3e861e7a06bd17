"use client";
import { grants, type Permission } from "@/server/auth/permissions.ts";
import { trpc } from "../trpc/client.tsx";

/** Who is signed in; the console's layout has it ready for every page. */
export function useMe() {
  const [me] = trpc.session.me.useSuspenseQuery(undefined, { staleTime: 60_000 });
  return me;
}

/** Whether the person may do this, so that what they may not is not offered. The procedures decide. */
export function useMay(permission: Permission): boolean {
  return grants(permission, useMe());
}
