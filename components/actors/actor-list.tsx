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
import { containsWords } from "@/components/ui/matching.ts";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { searchOnly, useListFilters } from "@/components/ui/use-list-filters.ts";
import { useSort } from "@/components/ui/use-sort.ts";
import type { Actor } from "@/server/actors/schema.ts";
import type { ActorStatus } from "@/server/actors/states.ts";
import { inboxInput } from "./actor-pages.ts";
import { ActorRow } from "./actor-row.tsx";
import { ActorIcon } from "./looks.tsx";
import { PlanInbox } from "./plan-inbox.tsx";

/** Actors that need attention come first. */
const urgency: Record<ActorStatus, number> = { Failed: 0, Draft: 1, Active: 2, Paused: 3, Archived: 4 };

/** The actors of the selected project, below the plans that need a decision. */
export function ActorList() {
  const { href } = useProject();
  const input = useProjectInput();
  const mayConfigure = useMay("actors:configure");
  const mayManageArchive = useMay("archive:manage");
  const [{ items }] = trpc.actors.list.useSuspenseQuery(input, {
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ currentExecution }) => currentExecution !== null) ? 2_000 : 15_000,
  });
  const [inbox] = trpc.actors.plans.useSuspenseQuery(inboxInput(input), { refetchInterval: 15_000 });
  const list = useListFilters(searchOnly);
  const sort = useSort(
    {
      status: (actor: Actor) => urgency[actor.status],
      name: (actor) => actor.name,
      plans: (actor) => actor.pendingPlanCount,
      queries: (actor) => actor.queryCount,
      subscriptions: (actor) => actor.subscriptionCount,
      tokens: (actor) => actor.totalTokensUsed,
      cost: (actor) => actor.totalCost,
      thinks: (actor) => actor.thinkCount,
      last: (actor) => actor.lastThinkAt,
    },
    "status",
    ["plans", "queries", "subscriptions", "tokens", "cost", "thinks", "last"],
  );
  const found = items.filter(({ name, dataSourceName, instructions }) =>
    containsWords(`${name} ${dataSourceName} ${instructions}`, list.filters.q),
  );
  const hrefOf = ({ id }: Actor) => href(`/ai-actors/${id}`);
  const create = mayConfigure && (
    <ButtonLink href={href("/ai-actors/new")} variant="primary" icon={Plus}>
      New actor
    </ButtonLink>
  );
  const columns: Columns = [
    { title: "Status", sort: sort.of("status") },
    { title: "Actor", sort: sort.of("name") },
    { title: "Waiting", sort: sort.of("plans") },
    { title: "Queries", numeric: true, from: "md", sort: sort.of("queries") },
    { title: "Subscriptions", numeric: true, from: "md", sort: sort.of("subscriptions") },
    { title: "Tokens this month", numeric: true, from: "lg", sort: sort.of("tokens") },
    { title: "Cost this month", numeric: true, from: "lg", sort: sort.of("cost") },
    { title: "Cycles", numeric: true, from: "xl", sort: sort.of("thinks") },
    { title: "Last cycle", from: "sm", sort: sort.of("last") },
  ];
  return (
    <ListPage
      title="AI actors"
      things="actors"
      columns={columns}
      rows={sort.rows(found)}
      all={items.length}
      list={list}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      filters={
        items.length > 5 && (
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
