"use client";
import { Boxes, Pencil, Plus, Trash2 } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useMay } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { MenuItem } from "../ui/dropdown-menu.tsx";
import { Empty } from "../ui/empty.tsx";
import { holdsWords } from "../ui/matching.ts";
import { Moment } from "../ui/moment.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { RowMenu } from "../ui/row-menu.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Table, Td, Th, Thead, Tr } from "../ui/table.tsx";
import { toast } from "../ui/toaster.tsx";
import { useRowKeys } from "../ui/use-row-keys.ts";
import { useSearch } from "../ui/use-search.ts";
import { useSort } from "../ui/use-sort.ts";
import { type Project, ProjectDialog } from "./project-dialog.tsx";
import { withProject } from "./project-filter.ts";

type Task = { kind: "create" } | { kind: "edit" | "delete"; project: Project };

export function ProjectsTable() {
  const [{ items }] = trpc.projects.list.useSuspenseQuery();
  const mayManage = useMay("projects:manage");
  const router = useRouter();
  const [search, setSearch] = useSearch();
  const [task, setTask] = useState<Task | null>(null);
  const sort = useSort(
    {
      name: (project: Project) => project.name,
      description: (project) => project.description,
      created: (project) => project.createdAt,
    },
    "name",
    ["created"],
  );
  const rows = sort.rows(
    items.filter((project) => holdsWords(`${project.name} ${project.description ?? ""}`, search)),
  );
  const destination = (project: Project) => withProject("/data-quality", project.id);
  const keys = useRowKeys({
    count: rows.length,
    onOpen: (index) => {
      const project = rows[index];
      if (project) router.push(destination(project));
    },
  });

  return (
    <>
      <PageHeader
        title="Projects"
        count={items.length > 0 ? items.length : undefined}
        filters={
          items.length > 5 && <SearchInput value={search} onValueChange={setSearch} label="Search projects" />
        }
        actions={
          mayManage && (
            <Button variant="primary" icon={Plus} onClick={() => setTask({ kind: "create" })}>
              New project
            </Button>
          )
        }
      />
      {items.length === 0 ? (
        <Empty
          icon={Boxes}
          title="No project yet"
          action={
            mayManage && (
              <Button icon={Plus} onClick={() => setTask({ kind: "create" })}>
                New project
              </Button>
            )
          }
        >
          A project holds data sources, the contracts on their tables, and who is told when one fails.
          {mayManage
            ? " Make the first one, then connect a database to it."
            : " An Admin can make the first one."}
        </Empty>
      ) : (
        <Table label="Projects">
          <Thead>
            <tr>
              <Th sort={sort.of("name")}>Name</Th>
              <Th sort={sort.of("description")} className="hidden sm:table-cell">
                Description
              </Th>
              <Th sort={sort.of("created")}>Created</Th>
              {mayManage && (
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              )}
            </tr>
          </Thead>
          <tbody>
            {rows.map((project, index) => (
              <Tr key={project.id} {...keys.row(index)}>
                <Td className="w-full font-medium sm:w-auto sm:whitespace-nowrap">
                  <Link href={destination(project)}>{project.name}</Link>
                </Td>
                <Td
                  truncate
                  className="hidden w-full text-ink-2 sm:table-cell"
                  title={project.description ?? undefined}
                >
                  {project.description}
                </Td>
                <Td className="text-ink-2">
                  <Moment at={project.createdAt} />
                </Td>
                {mayManage && (
                  <Td className="w-8">
                    <RowMenu of={project.name}>
                      <MenuItem icon={Pencil} onSelect={() => setTask({ kind: "edit", project })}>
                        Edit
                      </MenuItem>
                      <MenuItem icon={Trash2} danger onSelect={() => setTask({ kind: "delete", project })}>
                        Delete
                      </MenuItem>
                    </RowMenu>
                  </Td>
                )}
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      {items.length > 0 && rows.length === 0 && (
        <p className="py-4 text-ink-2">No project holds “{search}”.</p>
      )}
      <ProjectDialog
        key={task?.kind === "edit" ? task.project.id : "new"}
        {...(task?.kind === "edit" && { project: task.project })}
        open={task?.kind === "create" || task?.kind === "edit"}
        onOpenChange={(open) => !open && setTask(null)}
      />
      {task?.kind === "delete" && <DeleteProject project={task.project} onClose={() => setTask(null)} />}
    </>
  );
}

function DeleteProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const utils = trpc.useUtils();
  const remove = trpc.projects.delete.useMutation();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete “${project.name}”?`}
      confirm="Delete project"
      explain={messageOf}
      onConfirm={async () => {
        await remove.mutateAsync({ id: project.id });
        await utils.projects.invalidate();
        toast.success(`Deleted “${project.name}”`);
      }}
    >
      <p>This cannot be undone. It works only while the project holds no data sources and no recipients.</p>
    </ConfirmDialog>
  );
}
