"use client";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { roles } from "@/server/auth/schema.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { holdsWords } from "../ui/matching.ts";

export type User = Outputs["users"]["list"]["items"][number];

const parameters = {
  q: parseAsString.withDefault(""),
  role: parseAsStringLiteral(roles),
  state: parseAsStringLiteral(["enabled", "disabled"]),
};

/** The users that the page lists, by what the address asks for. */
export function useUsers() {
  const [{ items }] = trpc.users.list.useSuspenseQuery();
  const [filters, setFilters] = useQueryStates(parameters, { clearOnDefault: true });
  const found = items.filter(
    ({ name, email, role, enabled }) =>
      (filters.role === null || role === filters.role) &&
      (filters.state === null || enabled === (filters.state === "enabled")) &&
      holdsWords(`${name} ${email}`, filters.q),
  );
  return { items, found, filters, setFilters };
}
