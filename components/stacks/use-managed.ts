"use client";
import { skipToken } from "@tanstack/react-query";
import { trpc } from "@/components/trpc/client.tsx";
import type { ManagedKind } from "@/server/stacks/managed-kinds.ts";
import type { ManagedThing } from "@/server/stacks/schema.ts";

/** Whose files describe a thing, or did until it was taken over; undefined if none do, or it is not known yet. */
export function useManagedThing(kind: ManagedKind, id: number | undefined): ManagedThing | undefined {
  const asked = id === undefined ? skipToken : { kind, id };
  return trpc.stacks.things.useQuery(asked).data?.items[0];
}

/** Whether only its files change a thing. */
export function useIsManaged(kind: ManagedKind, id: number | undefined): boolean {
  const thing = useManagedThing(kind, id);
  return thing !== undefined && thing.takenOver === null;
}
