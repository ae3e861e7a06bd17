"use client";
import { Archive, ArchiveRestore } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { factsOf, messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { holdsWords } from "@/components/ui/matching.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { SkeletonRows } from "@/components/ui/skeleton.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import { useSearch } from "@/components/ui/use-search.ts";
import { useProject, useProjects } from "./use-project.ts";

type Archived = { id: number; projectId: number; name: string; archivedAt: string };

type Loaded = {
  data: { items: readonly Archived[] } | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
};

/** Things of one kind that were archived, and that an Admin can bring back. */
export function ArchivePage({
  parent,
  thing,
  things,
  archived,
  restore,
  afterwards,
  empty,
}: {
  /** The page that they are gone from: its path leads to each that is back. */
  parent: { path: string; label: string };
  /** `query` and `queries`. */
  thing: string;
  things: string;
  archived: Loaded;
  restore: (id: number) => Promise<unknown>;
  /** What is to be known of one that is back. */
  afterwards: string;
  empty: ReactNode;
}) {
  const { project, href } = useProject();
  const [search, setSearch] = useSearch();
  const items = archived.data?.items ?? [];
  const rows = items.filter(({ name }) => holdsWords(name, search));
  const title = `Archived ${things}`;
  return (
    <>
      <PageHeader
        parent={{ href: href(parent.path), label: parent.label }}
        title={title}
        count={archived.data && items.length}
        filters={
          items.length > 0 && (
            <SearchInput value={search} onValueChange={setSearch} label="Search the archive" />
          )
        }
      />
      {archived.error && !archived.data ? (
        <ErrorState
          title="The archive could not be loaded"
          message={factsOf(archived.error).message}
          requestId={factsOf(archived.error).requestId}
          onRetry={() => archived.refetch()}
          pending={archived.isFetching}
        />
      ) : !archived.data ? (
        <SkeletonRows rows={4} columns={3} />
      ) : items.length === 0 ? (
        <Empty icon={Archive} title="Nothing is archived">
          {empty}
        </Empty>
      ) : rows.length === 0 ? (
        <p className="border-t py-4 text-ink-2">
          No archived {thing} holds “{search}”.
        </p>
      ) : (
        <ArchivedTable
          label={title}
          showProject={project === null}
          {...{ rows, restore, afterwards }}
          path={parent.path}
        />
      )}
    </>
  );
}

function ArchivedTable({
  label,
  rows,
  showProject,
  path,
  restore,
  afterwards,
}: {
  label: string;
  rows: readonly Archived[];
  showProject: boolean;
  path: string;
  restore: (id: number) => Promise<unknown>;
  afterwards: string;
}) {
  const { nameOf } = useProjects();
  const { href } = useProject();
  const router = useRouter();
  const [restoring, setRestoring] = useState<number | null>(null);
  const keys = useRowKeys({ count: rows.length });
  const bringBack = async ({ id, name }: Archived) => {
    setRestoring(id);
    try {
      await restore(id);
      toast.success(`“${name}” is back`, {
        description: afterwards,
        action: { label: "Open", onClick: () => router.push(href(`${path}/${id}`)) },
      });
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      setRestoring(null);
    }
  };
  return (
    <Table label={label}>
      <Thead>
        <tr>
          <Th>Name</Th>
          {showProject && <Th>Project</Th>}
          <Th>Archived</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </Thead>
      <tbody>
        {rows.map((row, index) => (
          <Tr key={row.id} {...keys.row(index)}>
            <Td className="w-full font-medium">{row.name}</Td>
            {showProject && <Td className="whitespace-nowrap text-ink-2">{nameOf(row.projectId)}</Td>}
            <Td className="text-ink-2">
              <Moment at={row.archivedAt} />
            </Td>
            <Td className="text-right">
              <Button
                size="sm"
                icon={ArchiveRestore}
                aria-label={`Restore ${row.name}`}
                pending={restoring === row.id}
                onClick={() => void bringBack(row)}
              >
                Restore
              </Button>
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
