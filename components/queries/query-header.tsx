"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ActorBadge } from "@/components/actors/actor-badge.tsx";
import { useMay } from "@/components/auth/use-me.ts";
import { Star } from "@/components/favorites/star.tsx";
import { useProject, useProjects } from "@/components/projects/use-project.ts";
import { useIsManaged } from "@/components/stacks/use-managed.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Archive, BellPlus, Ellipsis, Lock, LockOpen } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Query } from "@/server/queries/schema.ts";
import { ArchiveQuery } from "./archive-query.tsx";
import { subscribePath } from "./subscribe-path.ts";

export function QueryHeader({ query, onArchived }: { query: Query; onArchived: () => void }) {
  const { project, href } = useProject();
  const { projects, nameOf } = useProjects();
  const router = useRouter();
  const isManaged = useIsManaged("Query", query.id);
  const mayChange = useMay("queries:configure") && !isManaged;
  const maySubscribe = useMay("subscriptions:configure");
  const mayLock = useMay("queries:lock");
  const setLocked = useSetLocked();
  const [archiving, setArchiving] = useState(false);
  return (
    <>
      <PageHeader
        parent={{ href: href("/queries"), label: "Queries" }}
        title={query.name}
        mark={<Star kind="Query" id={query.id} name={query.name} />}
        description={
          <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-3">
            {project === null && projects.length > 1 && <span>{nameOf(query.projectId)}</span>}
            <span className="tabular-nums">Version {query.activeVersion}</span>
            {query.ownerActorId !== null && (
              <ActorBadge id={query.ownerActorId} projectId={query.projectId} />
            )}
            {query.isLocked && (
              <Badge>
                <Lock aria-hidden className="size-3" />
                locked
              </Badge>
            )}
            {query.pendingVersion !== null && (
              <Badge tone="warning">version {query.pendingVersion} pending approval</Badge>
            )}
            <span>
              changed <Moment at={query.updatedAt} />
            </span>
          </span>
        }
        actions={
          <>
            {maySubscribe && (
              <ButtonLink href={subscribePath(query.id, project)} icon={BellPlus}>
                Subscribe
              </ButtonLink>
            )}
            {(mayLock || mayChange) && (
              <Menu>
                <MenuTrigger>
                  <Button size="icon" icon={Ellipsis} aria-label="More about this query" />
                </MenuTrigger>
                <MenuContent>
                  {mayLock && (
                    <MenuItem
                      icon={query.isLocked ? LockOpen : Lock}
                      onSelect={() => void setLocked(query, !query.isLocked)}
                    >
                      {query.isLocked ? "Unlock" : "Lock against changes"}
                    </MenuItem>
                  )}
                  {mayLock && mayChange && <MenuSeparator />}
                  {mayChange && (
                    <MenuItem
                      icon={Archive}
                      danger
                      disabled={query.isLocked}
                      onSelect={() => setArchiving(true)}
                    >
                      Archive…
                    </MenuItem>
                  )}
                </MenuContent>
              </Menu>
            )}
          </>
        }
      />
      {archiving && (
        <ArchiveQuery
          query={query}
          onClose={() => setArchiving(false)}
          onArchived={() => {
            onArchived();
            router.push(href("/queries"));
          }}
        />
      )}
    </>
  );
}

/** Locks or unlocks a query, and confirms it. */
export function useSetLocked() {
  const utils = trpc.useUtils();
  const lock = trpc.queries.lock.useMutation();
  const unlock = trpc.queries.unlock.useMutation();
  return async ({ id }: Pick<Query, "id">, locked: boolean) => {
    try {
      const query = await (locked ? lock : unlock).mutateAsync({ id });
      utils.queries.get.setData({ id }, query);
      toast.success(locked ? `“${query.name}” is locked against changes` : `“${query.name}” is unlocked`);
      await utils.queries.list.invalidate();
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
}
