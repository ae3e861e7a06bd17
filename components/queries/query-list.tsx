"use client";
import { Archive, Ellipsis, FileCode2, FolderPlus, Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput, useProjects } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Pager } from "@/components/ui/pager.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import type { Query } from "@/server/queries/schema.ts";
import { ArchiveQuery } from "./archive-query.tsx";
import { FolderDialogs, type FolderTask } from "./folder-dialogs.tsx";
import { FolderSide } from "./folder-side.tsx";
import { MoveQuery } from "./move-query.tsx";
import { queriesPerPage } from "./query-filter.ts";
import { QueryRow } from "./query-row.tsx";
import { useQueryList } from "./use-query-list.ts";

type Task = { kind: "move" | "archive"; query: Query };

/** The queries of the chosen project, by folder. */
export function QueryList() {
  const { project, href } = useProject();
  const { projects, nameOf } = useProjects();
  const router = useRouter();
  const input = useProjectInput();
  const { page, filters, isFiltered, isChanging, ...list } = useQueryList();
  const [{ items: folders }] = trpc.queries.folders.useSuspenseQuery(input);
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery(input);
  const mayChange = useMay("queries:configure");
  const mayManageArchive = useMay("archive:manage");
  const [task, setTask] = useState<Task | null>(null);
  const [folderTask, setFolderTask] = useState<FolderTask | null>(null);
  const { items, totalCount } = page;
  const showProject = project === null && projects.length > 1;
  const keys = useRowKeys({
    count: items.length,
    onOpen: (index) => {
      const opened = items[index];
      if (opened) router.push(href(`/queries/${opened.id}`));
    },
  });
  const folder = folders.find(({ id }) => id === filters.folder);
  const newHref = href("/queries/new");
  const newQuery = mayChange && (
    <ButtonLink
      href={folder ? `${newHref}${newHref.includes("?") ? "&" : "?"}folder=${folder.id}` : newHref}
      variant="primary"
      icon={Plus}
    >
      New query
    </ButtonLink>
  );
  const hasNothing = totalCount === 0 && !isFiltered && folders.length === 0;

  return (
    <>
      <PageHeader
        title="Queries"
        count={totalCount > 0 ? formatNumber(totalCount) : undefined}
        filters={
          !hasNothing && (
            <SearchInput value={filters.q} onValueChange={list.setSearch} label="Search queries" />
          )
        }
        actions={
          (mayChange || mayManageArchive) && (
            <>
              {newQuery}
              <Menu>
                <MenuTrigger>
                  <Button size="icon" icon={Ellipsis} aria-label="More about queries" />
                </MenuTrigger>
                <MenuContent>
                  {mayChange && (
                    <MenuItem
                      icon={FolderPlus}
                      onSelect={() =>
                        setFolderTask({
                          kind: "create",
                          projectId: folder?.projectId ?? project,
                          parentId: folder?.id ?? null,
                        })
                      }
                    >
                      New folder…
                    </MenuItem>
                  )}
                  {mayManageArchive && (
                    <MenuItem icon={Archive} href={href("/queries/archived")}>
                      Archived queries
                    </MenuItem>
                  )}
                </MenuContent>
              </Menu>
            </>
          )
        }
      />
      {hasNothing ? (
        <Empty icon={FileCode2} title="No query is written yet" action={newQuery}>
          A query is SQL in one or more steps, on any of the data sources; the last step's rows are its
          result. Subscriptions run it on a schedule and tell people what it finds.
        </Empty>
      ) : (
        <div className="grid items-start gap-x-8 gap-y-3 md:grid-cols-[13rem_minmax(0,1fr)]">
          <FolderSide
            folders={folders}
            chosen={filters.folder}
            mayChange={mayChange}
            onChoose={list.setFolder}
            onTask={setFolderTask}
          />
          <div
            className={cn("min-w-0 transition-opacity", isChanging && "opacity-60")}
            aria-busy={isChanging}
          >
            {items.length === 0 ? (
              <Empty
                title={
                  totalCount > 0
                    ? "There is nothing on this page of the list"
                    : folder && filters.q.trim() === ""
                      ? `“${folder.name}” holds no query yet`
                      : "No query matches"
                }
                action={
                  <>
                    {folder && filters.q.trim() === "" && newQuery}
                    <Button onClick={list.showAll}>Show all queries</Button>
                  </>
                }
              >
                {folder && filters.q.trim() === ""
                  ? "Queries are put here when they are written, or moved here from the list."
                  : "None has all of what the filters ask for."}
              </Empty>
            ) : (
              <Table label="Queries">
                <Thead>
                  <tr>
                    <Th>Query</Th>
                    <Th className="hidden lg:table-cell">Folder</Th>
                    <Th className="hidden lg:table-cell">Data sources</Th>
                    <Th numeric className="hidden sm:table-cell">
                      Version
                    </Th>
                    <Th numeric>
                      <span className="hidden sm:inline">Subscriptions</span>
                      <span className="sm:hidden">Subs.</span>
                    </Th>
                    <Th className="hidden md:table-cell">Changed</Th>
                    {mayChange && (
                      <Th>
                        <span className="sr-only">Actions</span>
                      </Th>
                    )}
                  </tr>
                </Thead>
                <tbody>
                  {items.map((query, index) => (
                    <QueryRow
                      key={query.id}
                      query={query}
                      place={[showProject ? nameOf(query.projectId) : null, query.folderPath]
                        .filter(Boolean)
                        .join(" / ")}
                      sourceNames={sourcesOf(query, sources)}
                      onMove={() => setTask({ kind: "move", query })}
                      onArchive={() => setTask({ kind: "archive", query })}
                      {...keys.row(index)}
                    />
                  ))}
                </tbody>
              </Table>
            )}
            <Pager
              page={page.page}
              pageSize={queriesPerPage}
              total={totalCount}
              onPageChange={list.setPage}
            />
          </div>
        </div>
      )}
      {task?.kind === "move" && (
        <MoveQuery query={task.query} folders={folders} onClose={() => setTask(null)} />
      )}
      {task?.kind === "archive" && <ArchiveQuery query={task.query} onClose={() => setTask(null)} />}
      {folderTask && (
        <FolderDialogs
          task={folderTask}
          folders={folders}
          onClose={() => setFolderTask(null)}
          onDeleted={({ id, parentId }) => {
            if (id === filters.folder) list.setFolder(parentId);
          }}
        />
      )}
    </>
  );
}

/** The data sources that a query's steps read, each once. */
function sourcesOf({ steps }: Query, sources: readonly { id: number; name: string }[]): string {
  const ids = [...new Set(steps.flatMap(({ dataSourceId }) => dataSourceId ?? []))];
  return ids.map((id) => sources.find((source) => source.id === id)?.name ?? `data source ${id}`).join(", ");
}
