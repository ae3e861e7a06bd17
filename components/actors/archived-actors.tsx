"use client";
import { ArchivePage } from "@/components/projects/archive-page.tsx";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";

/** What an Admin can bring back. */
export function ArchivedActors() {
  const archived = trpc.actors.archived.useQuery(useProjectInput());
  const unarchive = trpc.actors.unarchive.useMutation();
  const utils = trpc.useUtils();
  const restore = async (id: number) => {
    await unarchive.mutateAsync({ id });
    await utils.actors.invalidate();
  };
  return (
    <ArchivePage
      parent={{ path: "/ai-actors", label: "AI actors" }}
      thing="actor"
      things="actors"
      archived={archived}
      restore={restore}
      afterwards="It does not think until somebody resumes it."
      empty="An actor that was archived stands here with all of its plans and think cycles, until somebody restores it."
    />
  );
}
