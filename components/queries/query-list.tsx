"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useBulk } from "@/components/bulk/use-bulk.tsx";
import { useProject, useProjectInput, useProjects } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Archive, Ellipsis, FileCode2, FolderPlus, Plus } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns, List } from "@/components/ui/list.tsx";
import { Name } from "@/components/ui/name.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import type { Query } from "@/server/queries/schema.ts";
import { inItsProject } from "../auth/in-project.tsx";
import { ArchiveQuery } from "./archive-query.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { FolderDialogs, type FolderTask } from "./folder-dialogs.tsx";
import { FolderSide } from "./folder-side.tsx";
import { MoveQuery } from "./move-query.tsx";
import { QueryRow } from "./query-row.tsx";
import { useQueryList } from "./use-query-list.ts";

type Task = { kind: "move" | "archive"; query: Query };

/** The queries of the selected project, by folder. */
export function QueryList() {
  const { project, href } = useProject();
  const { projects, nameOf } = useProjects();
  const input = useProjectInput();
  const { list, page } = useQueryList();
  const { filters } = list;
  const setFolder = (folder: number | null) => list.set({ folder });
  const [{ items: folders }] = trpc.queries.folders.useSuspenseQuery(input);
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery(input);
  const mayChange = useMay("queries:configure");
  const mayManageArchive = useMay("archive:manage");
  const [task, setTask] = useState<Task | null>(null);
  const [folderTask, setFolderTask] = useState<FolderTask | null>(null);
  const { totalCount } = page;
  const showProject = project === null && projects.length > 1;
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
  const hasNothing = totalCount === 0 && !list.isFiltered && folders.length === 0;

  const utils = trpc.useUtils();
  const bulk = useBulk({
    input: list.input,
    things: ["query", "queries"],
    total: totalCount,
    loadIds: async (most) => {
      const all = await utils.queries.list.fetch({ ...list.input, page: 0, pageSize: most });
      return all.items.map(({ id }) => id);
    },
  });
  const columns: Columns = [
    { title: "Query", sort: list.sortBy("name") },
    { title: "Folder", from: "lg" },
    { title: "Data sources", from: "lg" },
    { title: "Version", numeric: true, from: "sm" },
    {
      title: (
        <>
          <span className="hidden sm:inline">Subscriptions</span>
          <span className="sm:hidden">Subs.</span>
        </>
      ),
      numeric: true,
    },
    { title: "Changed", from: "md", sort: list.sortBy("changed", "desc") },
    mayChange && actionsColumn(),
  ];

  return (
    <>
      <PageHeader
        title="Queries"
        count={totalCount > 0 ? formatNumber(totalCount) : undefined}
        filters={
          !hasNothing && (
            <SearchInput value={filters.q} onValueChange={(q) => list.set({ q })} label="Search queries" />
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
        <Empty icon={FileCode2} title="No queries yet" action={newQuery}>
          A query is SQL in one or more steps, on any data source; the last step's rows are its result.
          Subscriptions run it on a schedule and notify people of what it finds.
        </Empty>
      ) : (
        <div className="grid items-start gap-x-8 gap-y-3 md:grid-cols-[13rem_minmax(0,1fr)]">
          <FolderSide
            folders={folders}
            chosen={filters.folder}
            mayChange={mayChange}
            onChoose={setFolder}
            onTask={setFolderTask}
          />
          <List
            around={inItsProject}
            label="Queries"
            things="queries"
            columns={columns}
            rows={page.items}
            page={page}
            list={list}
            selection={
              mayChange
                ? {
                    of: bulk.selection,
                    nameOf: ({ name }) => name,
                    bar: bulk.barWith(<BulkActions bulk={bulk} folders={folders} />),
                  }
                : undefined
            }
            keyOf={({ id }) => id}
            hrefOf={({ id }) => href(`/queries/${id}`)}
            empty={<Empty title="No queries yet" />}
            noMatch={
              folder &&
              filters.q.trim() === "" && (
                <Empty
                  title={
                    <>
                      “<Name>{folder.name}</Name>” has no queries yet
                    </>
                  }
                  action={
                    <>
                      {newQuery}
                      <Button onClick={list.reset}>Show all queries</Button>
                    </>
                  }
                >
                  Create queries in this folder, or move them here from the list.
                </Empty>
              )
            }
          >
            {(query, row) => (
              <QueryRow
                query={query}
                place={[showProject ? nameOf(query.projectId) : null, query.folderPath]
                  .filter(Boolean)
                  .join(" / ")}
                sourceNames={sourcesOf(query, sources)}
                onMove={() => setTask({ kind: "move", query })}
                onArchive={() => setTask({ kind: "archive", query })}
                {...row}
              />
            )}
          </List>
        </div>
      )}
      {bulk.outcome}
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
            if (id === filters.folder) setFolder(parentId);
          }}
        />
      )}
    </>
  );
}

/** The data sources used by a query's steps, without duplicates. */
function sourcesOf({ steps }: Query, sources: readonly { id: number; name: string }[]): string {
  const ids = [...new Set(steps.flatMap(({ dataSourceId }) => dataSourceId ?? []))];
  return ids.map((id) => sources.find((source) => source.id === id)?.name ?? `data source ${id}`).join(", ");
}
