"use client";
import { ArchivePage, useArchive } from "@/components/projects/archive-page.tsx";
import { trpc } from "@/components/trpc/client.tsx";

/** Archived actors, which an Admin can restore. */
export function ArchivedActors() {
  const list = useArchive();
  const [page] = trpc.actors.archived.useSuspenseQuery(list.input);
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
      list={list}
      page={page}
      restore={restore}
      afterwards="It does not think until someone resumes it."
      empty="Archived actors are listed here with all of their plans and think cycles until someone restores them."
    />
  );
}
