"use client";
import { ArchivePage } from "@/components/projects/archive-page.tsx";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";

/** Archived actors, which an Admin can restore. */
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
      things="actors"
      archived={archived}
      restore={restore}
      afterwards="It does not think until someone resumes it."
      empty="Archived actors are listed here with all of their plans and think cycles until someone restores them."
    />
  );
}
