"use client";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { useListFilters } from "../ui/use-list-filters.ts";
import { accountParameters, accountsInput } from "./list-input.ts";

export type ServiceAccount = Outputs["serviceAccounts"]["list"]["items"][number];

/** A page of the service accounts, by the filters in the URL. */
export function useServiceAccounts() {
  const list = useListFilters(accountParameters, accountsInput);
  const [page] = trpc.serviceAccounts.page.useSuspenseQuery(list.input, { refetchInterval: 30_000 });
  return { list, page };
}
