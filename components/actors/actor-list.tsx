"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { LiveNotice } from "@/components/realtime/live-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Archive, Ellipsis, Plus } from "@/components/ui/icons.tsx";
import type { Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import type { Actor } from "@/server/actors/schema.ts";
import { inboxInput } from "./actor-pages.ts";
import { ActorRow } from "./actor-row.tsx";
import { actorListParameters, actorsInput } from "./list-input.ts";
import { ActorIcon } from "./looks.tsx";
import { PlanInbox } from "./plan-inbox.tsx";

/** The actors of the selected project, below the plans that need a decision. */
export function ActorList() {
  const { href } = useProject();
  const input = useProjectInput();
  const mayConfigure = useMay("actors:configure");
  const mayManageArchive = useMay("archive:manage");
  const list = useListFilters(actorListParameters, (filters) => actorsInput(input, filters));
  const [page] = trpc.actors.page.useSuspenseQuery(list.input, {
    refetchInterval: ({ state: { data } }) => (data?.isWorking ? 2_000 : 15_000),
  });
  const [inbox] = trpc.actors.plans.useSuspenseQuery(inboxInput(input), { refetchInterval: 15_000 });
  const hrefOf = ({ id }: Actor) => href(`/ai-actors/${id}`);
  const create = mayConfigure && (
    <ButtonLink href={href("/ai-actors/new")} variant="primary" icon={Plus}>
      New actor
    </ButtonLink>
  );
  const columns: Columns = [
    { title: "Status", sort: list.sortBy("status") },
    { title: "Actor", sort: list.sortBy("name") },
    { title: "Waiting", sort: list.sortBy("plans", "desc") },
    { title: "Queries", numeric: true, from: "md", sort: list.sortBy("queries", "desc") },
    { title: "Subscriptions", numeric: true, from: "md", sort: list.sortBy("subscriptions", "desc") },
    { title: "Tokens this month", numeric: true, from: "lg", sort: list.sortBy("tokens", "desc") },
    { title: "Cost this month", numeric: true, from: "lg", sort: list.sortBy("cost", "desc") },
    { title: "Cycles", numeric: true, from: "xl", sort: list.sortBy("cycles", "desc") },
    { title: "Last cycle", from: "sm", sort: list.sortBy("lastCycle", "desc") },
  ];
  return (
    <ListPage
      title="AI actors"
      things="actors"
      columns={columns}
      rows={page.items}
      page={page}
      list={list}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      filters={
        (page.totalCount > 5 || list.isFiltered) && (
          <SearchInput value={list.filters.q} onValueChange={(q) => list.set({ q })} label="Search actors" />
        )
      }
      actions={
        <>
          {create}
          {mayManageArchive && (
            <Menu>
              <MenuTrigger>
                <Button size="icon" icon={Ellipsis} aria-label="More about AI actors" />
              </MenuTrigger>
              <MenuContent>
                <MenuItem icon={Archive} href={href("/ai-actors/archived")}>
                  Archived actors
                </MenuItem>
              </MenuContent>
            </Menu>
          )}
        </>
      }
      notices={
        <>
          <LiveNotice />
          <PlanInbox plans={inbox.items} totalCount={inbox.totalCount} showsActor />
        </>
      }
      empty={{
        icon: ActorIcon,
        title: "No AI actors yet",
        action: create,
        children: `Tell an actor what to watch for in a database. It reads the schema, proposes queries and subscriptions, and maintains them as they run. Each plan waits here with its evidence until someone approves it.${
          mayConfigure ? "" : " An Editor or an Admin can create one."
        }`,
      }}
    >
      {(actor, row) => <ActorRow actor={actor} href={hrefOf(actor)} {...row} />}
    </ListPage>
  );
}
