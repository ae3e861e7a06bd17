"use client";
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { roles } from "@/server/auth/schema.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { containsWords } from "../ui/matching.ts";
import { useListFilters } from "../ui/use-list-filters.ts";
import { enabledStates } from "./state-filter.tsx";

export type User = Outputs["users"]["list"]["items"][number];

const parameters = {
  q: parseAsString.withDefault(""),
  role: parseAsStringLiteral(roles),
  state: parseAsStringLiteral(enabledStates),
};

/** The users on the page, by the filters in the URL. */
export function useUsers() {
  const [{ items }] = trpc.users.list.useSuspenseQuery();
  const list = useListFilters(parameters);
  const { filters } = list;
  const found = items.filter(
    ({ name, email, role, enabled }) =>
      (filters.role === null || role === filters.role) &&
      (filters.state === null || enabled === (filters.state === "enabled")) &&
      containsWords(`${name} ${email}`, filters.q),
  );
  return { items, found, list };
}
