"use client";
import { ArchivePage, useArchive } from "@/components/projects/archive-page.tsx";
import { trpc } from "@/components/trpc/client.tsx";

/** Archived queries, which an Admin can restore. */
export function ArchivedQueries() {
  const list = useArchive();
  const [page] = trpc.queries.archived.useSuspenseQuery(list.input);
  const unarchive = trpc.queries.unarchive.useMutation();
  const utils = trpc.useUtils();
  const restore = async (id: number) => {
    await unarchive.mutateAsync({ id });
    await utils.queries.invalidate();
  };
  return (
    <ArchivePage
      parent={{ path: "/queries", label: "Queries" }}
      things="queries"
      list={list}
      page={page}
      restore={restore}
      afterwards="Subscriptions that were archived with it stay archived."
      empty="Archived queries are listed here with all of their versions until someone restores them."
    />
  );
}
