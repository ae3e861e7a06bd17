"use client";
import { keyStateOf } from "@/server/api-keys/state.ts";
import { trpc } from "../trpc/client.tsx";

/** The keys of a user or service account that work while it is enabled; null until loaded. */
export function useWorkingKeys({ id }: { id: number }) {
  const keys = trpc.apiKeys.list.useQuery();
  return keys.data?.items.filter((key) => key.user.id === id && keyStateOf(key) === "Active") ?? null;
}

const namedAtMost = 5;

export function KeyNames({ keys }: { keys: readonly { name: string }[] }) {
  const more = keys.length - namedAtMost;
  const names = keys.slice(0, namedAtMost).map(({ name }) => `“${name}”`);
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
