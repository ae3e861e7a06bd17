"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Archive, ArchiveRestore } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns, type Page } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { archiveInput, archiveParameters } from "./archive-input.ts";
import { useProject, useProjectInput, useProjects } from "./use-project.ts";

type Archived = { id: number; projectId: number; name: string; archivedAt: string };

/** What an archive shows, by the filters in the URL. */
export function useArchive() {
  const inProject = useProjectInput();
  return useListFilters(archiveParameters, (filters) => archiveInput(inProject, filters));
}

/** Archived things of one kind, which an Admin can restore. */
export function ArchivePage({
  parent,
  things,
  list,
  page,
  restore,
  afterwards,
  empty,
}: {
  /** The page they were archived from; restored ones are linked below its path. */
  parent: { path: string; label: string };
  /** "queries". */
  things: string;
  list: ReturnType<typeof useArchive>;
  page: Page & { items: readonly Archived[] };
  restore: (id: number) => Promise<unknown>;
  /** What to know about a restored one. */
  afterwards: string;
  empty: ReactNode;
}) {
  const { project, href } = useProject();
  const { nameOf } = useProjects();
  const router = useRouter();
  const [restoring, setRestoring] = useState<number | null>(null);
  const bringBack = async ({ id, name }: Archived) => {
    setRestoring(id);
    try {
      await restore(id);
      toast.success(`Restored “${name}”`, {
        description: afterwards,
        action: { label: "Open", onClick: () => router.push(href(`${parent.path}/${id}`)) },
      });
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      setRestoring(null);
    }
  };
  const title = `Archived ${things}`;
  const showProject = project === null;
  const parentLink = { href: href(parent.path), label: parent.label };
  const columns: Columns = [
    { title: "Name" },
    showProject && { title: "Project" },
    { title: "Archived" },
    actionsColumn(),
  ];
  return (
    <ListPage
      parent={parentLink}
      title={title}
      things={`archived ${things}`}
      columns={columns}
      rows={page.items}
      page={page}
      list={list}
      keyOf={({ id }) => id}
      filters={
        <SearchInput
          value={list.filters.q}
          onValueChange={(q) => list.set({ q })}
          label="Search the archive"
        />
      }
      empty={{ icon: Archive, title: "Nothing is archived", children: empty }}
    >
      {(archivedThing, row) => (
        <Tr {...row}>
          <Td className="w-full font-medium">
            <Name>{archivedThing.name}</Name>
          </Td>
          {showProject && <Td className="whitespace-nowrap text-ink-2">{nameOf(archivedThing.projectId)}</Td>}
          <Td className="text-ink-2">
            <Moment at={archivedThing.archivedAt} />
          </Td>
          <Td className="text-right">
            <Button
              size="sm"
              icon={ArchiveRestore}
              aria-label={`Restore ${archivedThing.name}`}
              pending={restoring === archivedThing.id}
              onClick={() => void bringBack(archivedThing)}
            >
              Restore
            </Button>
          </Td>
        </Tr>
      )}
    </ListPage>
  );
}
