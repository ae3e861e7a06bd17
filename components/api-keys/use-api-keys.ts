"use client";
import { useMay, useMe } from "../auth/use-me.ts";
import { useProjects } from "../projects/use-project.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { useListFilters } from "../ui/use-list-filters.ts";
import { keyParameters, keysInput } from "./list-input.ts";

export type ApiKey = Outputs["apiKeys"]["page"]["items"][number];

/** A page of the keys, by the filters in the URL. Admins see everyone's. */
export function useApiKeys() {
  const { user: me } = useMe();
  const list = useListFilters(keyParameters, (filters) => keysInput(filters, me.id));
  const [page] = trpc.apiKeys.page.useSuspenseQuery(list.input, { refetchInterval: 30_000 });
  const { projects } = useProjects();
  const projectName = (id: number) => projects.find((each) => each.id === id)?.name ?? `Project ${id}`;
  const projectNames = (key: ApiKey) => key.allowedProjectIds?.map(projectName) ?? null;
  return { list, page, seesEverybody: useMay("users:manage"), projectNames, me };
}
