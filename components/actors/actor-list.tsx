"use client";
import { Archive, Ellipsis, Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { LiveNotice } from "@/components/realtime/live-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { holdsWords } from "@/components/ui/matching.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import { useSearch } from "@/components/ui/use-search.ts";
import { useSort } from "@/components/ui/use-sort.ts";
import type { Actor } from "@/server/actors/schema.ts";
import type { ActorStatus } from "@/server/actors/states.ts";
import { inboxInput } from "./actor-pages.ts";
import { ActorRow } from "./actor-row.tsx";
import { ActorIcon } from "./looks.tsx";
import { PlanInbox } from "./plan-inbox.tsx";

/** What needs somebody stands first. */
const urgency: Record<ActorStatus, number> = { Failed: 0, Draft: 1, Active: 2, Paused: 3, Archived: 4 };

/** The actors of the chosen project, below the plans that wait for people. */
export function ActorList() {
  const { href } = useProject();
  const router = useRouter();
  const input = useProjectInput();
  const mayConfigure = useMay("actors:configure");
  const mayManageArchive = useMay("archive:manage");
  const [{ items }] = trpc.actors.list.useSuspenseQuery(input, {
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ currentExecution }) => currentExecution !== null) ? 2_000 : 15_000,
  });
  const [inbox] = trpc.actors.plans.useSuspenseQuery(inboxInput(input), { refetchInterval: 15_000 });
  const [search, setSearch] = useSearch();
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
  const rows = sort.rows(
    items.filter(({ name, dataSourceName, instructions }) =>
      holdsWords(`${name} ${dataSourceName} ${instructions}`, search),
    ),
  );
  const hrefOf = (id: number) => href(`/ai-actors/${id}`);
  const keys = useRowKeys({
    count: rows.length,
    ids: rows.map(({ id }) => id),
    onOpen: (index) => {
      const opened = rows[index];
      if (opened) router.push(hrefOf(opened.id));
    },
  });
  const create = mayConfigure && (
    <ButtonLink href={href("/ai-actors/new")} variant="primary" icon={Plus}>
      New actor
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="AI actors"
        count={items.length > 0 ? formatNumber(items.length) : undefined}
        filters={
          items.length > 5 && <SearchInput value={search} onValueChange={setSearch} label="Search actors" />
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
      />
      <LiveNotice />
      <PlanInbox plans={inbox.items} totalCount={inbox.totalCount} showsActor />
      {items.length === 0 ? (
        <Empty icon={ActorIcon} title="No actor watches yet" action={create}>
          Tell an actor in plain words what a database is to be watched for. It reads the schema, proposes
          queries and subscriptions, and tends them as they run; each plan waits here with its evidence until
          somebody approves it.
          {!mayConfigure && " An Editor or an Admin can make one."}
        </Empty>
      ) : rows.length === 0 ? (
        <Empty
          title={`No actor holds “${search}”`}
          action={<Button onClick={() => setSearch("")}>Show all actors</Button>}
        />
      ) : (
        <Table label="AI actors">
          <Thead>
            <tr>
              <Th sort={sort.of("status")}>Status</Th>
              <Th sort={sort.of("name")}>Actor</Th>
              <Th sort={sort.of("plans")}>Waiting</Th>
              <Th numeric className="hidden md:table-cell" sort={sort.of("queries")}>
                Queries
              </Th>
              <Th numeric className="hidden md:table-cell" sort={sort.of("subscriptions")}>
                Subscriptions
              </Th>
              <Th numeric className="hidden lg:table-cell" sort={sort.of("tokens")}>
                Tokens this month
              </Th>
              <Th numeric className="hidden lg:table-cell" sort={sort.of("cost")}>
                Cost this month
              </Th>
              <Th numeric className="hidden xl:table-cell" sort={sort.of("thinks")}>
                Cycles
              </Th>
              <Th className="hidden sm:table-cell" sort={sort.of("last")}>
                Last cycle
              </Th>
            </tr>
          </Thead>
          <tbody>
            {rows.map((actor, index) => (
              <ActorRow key={actor.id} actor={actor} href={hrefOf(actor.id)} {...keys.row(index)} />
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}
