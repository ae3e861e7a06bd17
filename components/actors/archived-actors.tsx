"use client";
import { Archive, ArchiveRestore } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useProject, useProjectInput, useProjects } from "@/components/projects/use-project.ts";
import { type Outputs, trpc } from "@/components/trpc/client.tsx";
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

type Archived = Outputs["actors"]["archived"]["items"][number];

/** What an Admin can bring back. */
export function ArchivedActors() {
  const { project, href } = useProject();
  const archived = trpc.actors.archived.useQuery(useProjectInput());
  const [search, setSearch] = useSearch();
  const items = archived.data?.items ?? [];
  const rows = items.filter(({ name }) => holdsWords(name, search));
  return (
    <>
      <PageHeader
        parent={{ href: href("/ai-actors"), label: "AI actors" }}
        title="Archived actors"
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
          An actor that was archived stands here with all of its plans and thoughts, until somebody restores
          it.
        </Empty>
      ) : rows.length === 0 ? (
        <p className="border-t py-4 text-ink-2">No archived actor holds “{search}”.</p>
      ) : (
        <ArchivedTable rows={rows} showProject={project === null} />
      )}
    </>
  );
}

function ArchivedTable({ rows, showProject }: { rows: readonly Archived[]; showProject: boolean }) {
  const { nameOf } = useProjects();
  const { href } = useProject();
  const router = useRouter();
  const utils = trpc.useUtils();
  const [restoring, setRestoring] = useState<number | null>(null);
  const unarchive = trpc.actors.unarchive.useMutation();
  const keys = useRowKeys({ count: rows.length });
  const restore = async ({ id, name }: Archived) => {
    setRestoring(id);
    try {
      await unarchive.mutateAsync({ id });
      await utils.actors.invalidate();
      toast.success(`“${name}” is back`, {
        description: "It does not think until somebody resumes it.",
        action: { label: "Open", onClick: () => router.push(href(`/ai-actors/${id}`)) },
      });
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      setRestoring(null);
    }
  };
  return (
    <Table label="Archived actors">
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
        {rows.map((actor, index) => (
          <Tr key={actor.id} {...keys.row(index)}>
            <Td className="w-full font-medium">{actor.name}</Td>
            {showProject && <Td className="whitespace-nowrap text-ink-2">{nameOf(actor.projectId)}</Td>}
            <Td className="text-ink-2">
              <Moment at={actor.archivedAt} />
            </Td>
            <Td className="text-right">
              <Button
                size="sm"
                icon={ArchiveRestore}
                aria-label={`Restore ${actor.name}`}
                pending={restoring === actor.id}
                onClick={() => void restore(actor)}
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
