"use client";
import { ArchivePage } from "@/components/projects/archive-page.tsx";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";

/** What an Admin can bring back. */
export function ArchivedQueries() {
  const archived = trpc.queries.archived.useQuery(useProjectInput());
  const unarchive = trpc.queries.unarchive.useMutation();
  const utils = trpc.useUtils();
  const restore = async (id: number) => {
    await unarchive.mutateAsync({ id });
    await utils.queries.invalidate();
  };
  return (
    <ArchivePage
      parent={{ path: "/queries", label: "Queries" }}
      thing="query"
      things="queries"
      archived={archived}
      restore={restore}
      afterwards="Subscriptions that were archived with it stay archived."
      empty="A query that was archived stands here with all of its versions, until somebody restores it."
    />
  );
}
