"use client";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { useListFilters } from "../ui/use-list-filters.ts";
import { userParameters, usersInput } from "./list-input.ts";

export type User = Outputs["users"]["page"]["items"][number];

/** A page of the users, by the filters in the URL. */
export function useUsers() {
  const list = useListFilters(userParameters, usersInput);
  const [page] = trpc.users.page.useSuspenseQuery(list.input);
  return { list, page };
}
