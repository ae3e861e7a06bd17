"use client";
import { keepPreviousData } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Bot, Columns3, FileCheck2, FileCode2, type LucideIcon, Table2 } from "@/components/ui/icons.tsx";
import type { HitKind } from "@/server/catalog/schema.ts";
import { useProject, useProjects } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { factsOf } from "../trpc/errors.ts";
import { useDebounced } from "../ui/use-paused.ts";
import { pathOfHit, placeOfHit } from "./hit-place.ts";
import type { EntryGroup } from "./palette-groups.ts";

const kinds: Record<HitKind, { heading: string; icon: LucideIcon }> = {
  Table: { heading: "Tables", icon: Table2 },
  Column: { heading: "Columns", icon: Columns3 },
  Query: { heading: "Queries", icon: FileCode2 },
  Contract: { heading: "Contracts", icon: FileCheck2 },
  Actor: { heading: "AI actors", icon: Bot },
};

/** A single letter matches too much. */
const shortest = 2;
const longest = 200;

/**
 * The server's search results in groups, starting with the group of the best result. Previous results stay until new
 * ones arrive; `isSettled` says whether the results are for the current text.
 */
export function usePaletteHits(search: string) {
  const router = useRouter();
  const { href } = useProject();
  const { nameOf } = useProjects();
  const text = search.trim();
  const q = useDebounced(text, 120);
  const isWanted = text.length >= shortest && text.length <= longest;
  const sources = trpc.dataSources.list.useQuery({});
  const found = trpc.catalog.glance.useQuery(
    { q },
    {
      enabled: isWanted && q.length >= shortest && q.length <= longest,
      placeholderData: keepPreviousData,
      staleTime: 10_000,
    },
  );
  const names = {
    ofSource: (id: number) => sources.data?.items.find((each) => each.id === id)?.name,
    ofProject: nameOf,
  };
  const hits = isWanted ? (found.data?.items ?? []) : [];
  const groups: EntryGroup[] = [...Map.groupBy(hits, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    heading: kinds[kind].heading,
    entries: ofKind.map((hit) => ({
      key: `${kind}-${hit.id ?? pathOfHit(hit)}`,
      label: hit.name,
      hint: placeOfHit(hit, names),
      icon: kinds[kind].icon,
      isFound: true,
      ...(hit.qualityScore !== null && { score: hit.qualityScore }),
      choose: () => router.push(href(pathOfHit(hit))),
    })),
  }));
  return {
    groups,
    isSettled: !isWanted || (q === text && !found.isFetching),
    failure: isWanted && found.isError ? factsOf(found.error).message : null,
  };
}
