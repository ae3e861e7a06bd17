"use client";
import { keepPreviousData } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import {
  BellRing,
  Boxes,
  CircleHelp,
  Database,
  GitPullRequestArrow,
  Monitor,
  Moon,
  Plus,
  Sun,
} from "@/components/ui/icons.tsx";
import { useMay, useMe } from "../auth/use-me.ts";
import { scheduleWords } from "../cron/schedule-words.ts";
import { pathOfThing, type Thing, thingLooks } from "../favorites/favorite-page.ts";
import { recentPages } from "../favorites/recent-pages.ts";
import { useFavorites } from "../favorites/use-favorites.ts";
import { useProject, useProjects } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { useTheme } from "../ui/theme.tsx";
import { useDebounced } from "../ui/use-paused.ts";
import { furtherPages, pageGroupsFor } from "./pages.ts";
import { beyondHeading, type EntryGroup, shownPerGroup } from "./palette-groups.ts";

/** What the palette offers this user besides search results, in order. */
export function usePaletteEntries(
  search: string,
  onHelp: () => void,
): { groups: EntryGroup[]; isLoading: boolean } {
  const router = useRouter();
  const { project, setProject, href } = useProject();
  const { projects, nameOf } = useProjects();
  const { setTheme } = useTheme();
  const me = useMe();
  const mayConnect = useMay("data-sources:manage");
  const mayContract = useMay("contracts:configure");
  const mayWriteQueries = useMay("queries:configure");
  const mayWatch = useMay("subscriptions:configure");
  const text = useDebounced(search.trim(), 120).slice(0, 200);
  const served = { enabled: text !== "", placeholderData: keepPreviousData, staleTime: 10_000 };
  const subscriptions = trpc.subscriptions.list.useQuery(
    { search: beyondHeading("Subscriptions", text), sortBy: "Name", pageSize: shownPerGroup },
    served,
  );
  const sources = trpc.dataSources.list.useQuery({});
  const approvals = trpc.approvals.list.useQuery(
    {
      status: "Pending",
      search: beyondHeading("Pending approvals", text),
      pageSize: shownPerGroup,
    },
    served,
  );
  const mayMakeActors = useMay("actors:configure");
  const { favorites = [] } = useFavorites();
  const [opened] = useState(() => recentPages(me.user.id));
  const to = (path: string) => () => router.push(path);
  const starred = new Set(favorites.map(pathOfThing));
  const entryOf = (list: string) => (thing: Thing) => ({
    key: `${list}-${pathOfThing(thing)}`,
    label: thing.name,
    hint: thing.schemaName ?? thingLooks[thing.kind].word,
    icon: thingLooks[thing.kind].icon,
    choose: to(href(pathOfThing(thing))),
  });

  const groups: EntryGroup[] = [
    { heading: "Favorites", onlyWhenEmpty: true, entries: favorites.map(entryOf("favorite")) },
    {
      heading: "Recent",
      onlyWhenEmpty: true,
      entries: opened.filter((thing) => !starred.has(pathOfThing(thing))).map(entryOf("recent")),
    },
    {
      heading: "Pages",
      isFirst: true,
      entries: [...pageGroupsFor(me).flatMap(({ pages }) => pages), ...furtherPages].map(
        ({ href: path, label, icon }) => ({ key: path, label, icon, choose: to(href(path)) }),
      ),
    },
    {
      heading: "Make",
      isFirst: true,
      entries: [
        mayContract && { label: "New contract", path: "/data-quality/contracts/new" },
        mayContract && { label: "Import checks", path: "/data-quality/contracts/import" },
        mayWriteQueries && { label: "New query", path: "/queries/new" },
        mayWatch && { label: "New subscription", path: "/subscriptions/new" },
        mayMakeActors && { label: "New AI actor", path: "/ai-actors/new" },
        mayConnect && { label: "Connect a data source", path: "/data-sources/new" },
      ].flatMap((each) =>
        each ? [{ key: each.path, label: each.label, icon: Plus, choose: to(href(each.path)) }] : [],
      ),
    },
    {
      heading: "Subscriptions",
      onlyWhenSearched: true,
      isServed: true,
      entries: (subscriptions.data?.items ?? []).map(({ id, title, cronExpression }) => ({
        key: `subscription-${id}`,
        label: title,
        hint: scheduleWords(cronExpression) ?? cronExpression,
        icon: BellRing,
        choose: to(href(`/subscriptions/${id}`)),
      })),
    },
    {
      heading: "Pending approvals",
      onlyWhenSearched: true,
      isServed: true,
      entries: (approvals.data?.items ?? []).map(({ id, queryName, changeSummary, requester }) => ({
        key: `approval-${id}`,
        label: queryName,
        hint: changeSummary ?? requester?.name ?? "the service",
        icon: GitPullRequestArrow,
        choose: to(href(`/approvals/${id}`)),
      })),
    },
    {
      heading: "Data sources",
      onlyWhenSearched: true,
      entries: (sources.data?.items ?? []).map(({ id, name, projectId }) => ({
        key: `source-${id}`,
        label: name,
        hint: nameOf(projectId),
        icon: Database,
        choose: to(href(`/data-sources/${id}`)),
      })),
    },
    {
      heading: "Switch project",
      entries: [{ id: null, name: "All projects" }, ...projects]
        .filter(({ id }) => id !== project)
        .map(({ id, name }) => ({
          key: `project-${id}`,
          label: name,
          icon: Boxes,
          choose: () => void setProject(id),
        })),
    },
    {
      heading: "Console",
      entries: [
        { key: "light", label: "Light theme", icon: Sun, choose: () => setTheme("light") },
        { key: "dark", label: "Dark theme", icon: Moon, choose: () => setTheme("dark") },
        { key: "system", label: "System theme", icon: Monitor, choose: () => setTheme("system") },
        { key: "help", label: "Keyboard shortcuts", icon: CircleHelp, choose: onHelp },
      ],
    },
  ];
  const isLoading =
    sources.isPending ||
    text !== search.trim().slice(0, 200) ||
    [subscriptions, approvals].some(({ isFetching }) => isFetching);
  return { groups, isLoading };
}
