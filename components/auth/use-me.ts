"use client";
import { useState } from "react";
import { grants, type Permission } from "@/server/auth/permissions.ts";
import { trpc } from "../trpc/client.tsx";

/** The signed-in user; the console's layout prefetches it for every page. */
export function useMe() {
  const [me] = trpc.session.me.useSuspenseQuery(undefined, { staleTime: 60_000 });
  return me;
}

/** The user the page was loaded for, even if someone else signs in from another tab. */
export function usePageOwner() {
  const [owner] = useState(useMe().user);
  return owner;
}

/** Whether the user has this permission, to hide what they can't do. The procedures enforce it. */
export function useMay(permission: Permission): boolean {
  return grants(permission, useMe());
}
