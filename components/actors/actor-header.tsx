"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { Star } from "@/components/favorites/star.tsx";
import { useProject, useProjects } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Archive, CirclePause, CirclePlay, Ellipsis, Pencil } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import type { ActorDetail } from "@/server/actors/schema.ts";
import { ArchiveActor } from "./archive-actor.tsx";
import { ActorStatus, ThinkIcon } from "./looks.tsx";
import type { ActorActions } from "./use-actor-actions.ts";

export function ActorHeader({ actor, actions }: { actor: ActorDetail; actions: ActorActions }) {
  const { project, href } = useProject();
  const { projects, nameOf } = useProjects();
  const router = useRouter();
  const mayRun = useMay("actors:run");
  const mayConfigure = useMay("actors:configure");
  const [archiving, setArchiving] = useState(false);
  const { id, status, currentExecution } = actor;
  const isActive = status === "Active";
  const isThinking = currentExecution !== null || actions.acting === "think";
  return (
    <>
      <PageHeader
        parent={{ href: href("/ai-actors"), label: "AI actors" }}
        title={actor.name}
        mark={<Star kind="Actor" id={id} name={actor.name} />}
        description={
          <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
            <ActorStatus status={status} />
            {actor.budgetExhausted && <Badge tone="warning">stopped by its budget</Badge>}
            {project === null && projects.length > 1 && (
              <span className="text-ink-3">{nameOf(actor.projectId)}</span>
            )}
            <Link href={href(`/data-sources/${actor.dataSourceId}`)} className="hover:underline">
              {actor.dataSourceName}
            </Link>
            {!actor.requiresApproval && <Badge tone="warning">acts without approval</Badge>}
          </span>
        }
        actions={
          <>
            {mayRun && isActive && (
              <Button
                variant="primary"
                icon={ThinkIcon}
                pending={isThinking}
                disabled={actor.budgetExhausted}
                onClick={() => void actions.think()}
              >
                {isThinking ? "Thinking…" : "Think now"}
              </Button>
            )}
            {mayConfigure && isActive && (
              <Button
                icon={CirclePause}
                pending={actions.acting === "pause"}
                onClick={() => void actions.pause()}
              >
                Pause
              </Button>
            )}
            {mayConfigure && !isActive && status !== "Archived" && (
              <Button
                variant="primary"
                icon={CirclePlay}
                pending={actions.acting === "resume" || (status === "Draft" && currentExecution !== null)}
                onClick={() => void actions.resume()}
              >
                {status === "Draft" ? "Start" : "Resume"}
              </Button>
            )}
            {mayConfigure && (
              <>
                <ButtonLink href={href(`/ai-actors/${id}/edit`)} icon={Pencil}>
                  Edit
                </ButtonLink>
                <Menu>
                  <MenuTrigger>
                    <Button size="icon" icon={Ellipsis} aria-label="More about this actor" />
                  </MenuTrigger>
                  <MenuContent>
                    <MenuItem icon={Archive} danger onSelect={() => setArchiving(true)}>
                      Archive…
                    </MenuItem>
                  </MenuContent>
                </Menu>
              </>
            )}
          </>
        }
      />
      <ArchiveActor
        actor={actor}
        open={archiving}
        onOpenChange={setArchiving}
        onArchived={() => router.push(href("/ai-actors"))}
      />
    </>
  );
}
