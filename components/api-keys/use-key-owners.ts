"use client";
import { isAdminOfAll } from "@/server/auth/permissions.ts";
import { useMe } from "../auth/use-me.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";

export type KeyOwner = Pick<Outputs["serviceAccounts"]["list"]["items"][number], "id" | "name" | "role">;

/** The service accounts for which the signed-in user may create a key: the given one, or all that are enabled. */
export function useKeyOwners(only: KeyOwner | null): KeyOwner[] {
  const may = isAdminOfAll(useMe());
  const { data } = trpc.serviceAccounts.list.useQuery(undefined, { enabled: may && only === null });
  return only ? [only] : (data?.items.filter(({ enabled }) => enabled) ?? []);
}
