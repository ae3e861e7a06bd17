"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Link } from "@/components/ui/link.tsx";
import { ActorIcon } from "./looks.tsx";

/** Marks something created by an actor with the actor's name. */
export function ActorBadge({ id, projectId }: { id: number; projectId: number }) {
  const { href } = useProject();
  const { data } = trpc.actors.list.useQuery({ projectId }, { staleTime: 60_000 });
  const actor = data?.items.find((each) => each.id === id);
  const badge = (
    <Badge className={actor && "hover:bg-hover"}>
      <ActorIcon aria-hidden className="size-3" />
      {actor ? `AI: ${actor.name}` : "AI"}
    </Badge>
  );
  return actor ? (
    <Link href={href(`/ai-actors/${id}`)} title="The AI actor that maintains it" className="rounded-sm">
      {badge}
    </Link>
  ) : (
    <span title={data ? "Made by an AI actor that is archived" : "Made by an AI actor"}>{badge}</span>
  );
}
