"use client";
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { useMay, useMe } from "../auth/use-me.ts";
import { useProjects } from "../projects/use-project.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { containsWords } from "../ui/matching.ts";
import { useListFilters } from "../ui/use-list-filters.ts";
import { keyStateOf, keyStates } from "./key-state.ts";

export type ApiKey = Outputs["apiKeys"]["list"]["items"][number];

const parameters = {
  q: parseAsString.withDefault(""),
  status: parseAsStringLiteral(keyStates),
  /** `mine`, or the ID of an owner. */
  whose: parseAsString,
};

/** The keys on the page, by the filters in the URL. Admins see everyone's. */
export function useApiKeys() {
  const [{ items }] = trpc.apiKeys.list.useSuspenseQuery(undefined, { refetchInterval: 30_000 });
  const list = useListFilters(parameters);
  const { filters } = list;
  const { projects } = useProjects();
  const { user } = useMe();
  const seesEverybody = useMay("users:manage");
  const projectName = (id: number) => projects.find((each) => each.id === id)?.name ?? `Project ${id}`;
  const projectNames = (key: ApiKey) => key.allowedProjectIds?.map(projectName) ?? null;
  const whose = filters.whose === "mine" ? String(user.id) : filters.whose;
  const found = items.filter(
    (key) =>
      (filters.status === null || keyStateOf(key) === filters.status) &&
      (whose === null || String(key.user.id) === whose) &&
      containsWords(
        [key.name, key.prefix, key.user.name, ...key.scopes, ...(projectNames(key) ?? [])].join(" "),
        filters.q,
      ),
  );
  const accounts = items.filter(({ ownerKind }) => ownerKind === "ServiceAccount").map((key) => key.user);
  /** The service accounts that own keys, by name. */
  const owners = [...new Map(accounts.map((owner) => [owner.id, owner])).values()].sort((a, b) =>
    a.name.localeCompare(b.name),
  );
  return { items, found, owners, list, seesEverybody, projectNames, me: user };
}
