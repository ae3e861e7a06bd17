"use client";
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { keyStateOf } from "../api-keys/key-state.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { containsWords } from "../ui/matching.ts";
import { useListFilters } from "../ui/use-list-filters.ts";
import { enabledStates } from "../users/state-filter.tsx";

export type ServiceAccount = Outputs["serviceAccounts"]["list"]["items"][number];

/** With what its keys say of it. */
export type ListedAccount = ServiceAccount & { activeKeys: number; lastUsedAt: string | null };

const parameters = {
  q: parseAsString.withDefault(""),
  state: parseAsStringLiteral(enabledStates),
};

/** The service accounts on the page, by the filters in the URL. */
export function useServiceAccounts() {
  const [{ items: accounts }] = trpc.serviceAccounts.list.useSuspenseQuery();
  const [{ items: keys }] = trpc.apiKeys.list.useSuspenseQuery(undefined, { refetchInterval: 30_000 });
  const list = useListFilters(parameters);
  const { filters } = list;
  const keysOf = Map.groupBy(keys, ({ user }) => user.id);
  const items: ListedAccount[] = accounts.map((account) => {
    const own = keysOf.get(account.id) ?? [];
    const uses = own.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).sort();
    const activeKeys = own.filter((key) => keyStateOf(key) === "Active").length;
    return { ...account, activeKeys, lastUsedAt: uses.at(-1) ?? null };
  });
  const found = items.filter(
    ({ name, enabled }) =>
      (filters.state === null || enabled === (filters.state === "enabled")) && containsWords(name, filters.q),
  );
  return { items, found, list };
}
