"use client";
import { trpc } from "../trpc/client.tsx";

/** What the user has starred, by name; undefined until it is known. */
export function useFavorites() {
  const { data } = trpc.favorites.list.useQuery(undefined, { staleTime: 60_000 });
  return { favorites: data?.items };
}
