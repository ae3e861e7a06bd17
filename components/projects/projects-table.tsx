"use client";
import { useState } from "react";
import { Boxes, Pencil, Plus, Trash2, Users } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { useMay, useMayIn } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { MenuItem } from "../ui/dropdown-menu.tsx";
import { actionsColumn, type Columns } from "../ui/list.tsx";
import { listInput } from "../ui/list-input.ts";
import { ListPage } from "../ui/list-page.tsx";
import { Moment } from "../ui/moment.tsx";
import { RowMenu } from "../ui/row-menu.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Td, Tr } from "../ui/table.tsx";
import { toast } from "../ui/toaster.tsx";
import { useListFilters } from "../ui/use-list-filters.ts";
import { projectParameters } from "./list-input.ts";
import { MembersDialog } from "./members-dialog.tsx";
import { type Project, ProjectDialog } from "./project-dialog.tsx";
import { withProject } from "./project-filter.ts";

type Task = { kind: "create" } | { kind: "edit" | "delete" | "members"; project: Project };

export function ProjectsTable() {
  const list = useListFilters(projectParameters, listInput);
  const [page] = trpc.projects.page.useSuspenseQuery(list.input);
  const mayCreate = useMay("projects:create");
  const mayManage = useMayIn("projects:manage");
  const [task, setTask] = useState<Task | null>(null);
  const destination = (project: Project) => withProject("/data-quality", project.id);
  const create = mayCreate && (
    <Button variant="primary" icon={Plus} onClick={() => setTask({ kind: "create" })}>
      New project
    </Button>
  );
  const columns: Columns = [
    { title: "Name", sort: list.sortBy("name") },
    { title: "Description", from: "sm", sort: list.sortBy("description") },
    { title: "Created", sort: list.sortBy("created", "desc") },
    actionsColumn(),
  ];

  return (
    <>
      <ListPage
        title="Projects"
        things="projects"
        columns={columns}
        rows={page.items}
        page={page}
        list={list}
        keyOf={({ id }) => id}
        hrefOf={destination}
        filters={
          (page.totalCount > 5 || list.isFiltered) && (
            <SearchInput
              value={list.filters.q}
              onValueChange={(q) => list.set({ q })}
              label="Search projects"
            />
          )
        }
        actions={(page.totalCount > 0 || list.isFiltered) && create}
        empty={{
          icon: Boxes,
          title: "No projects yet",
          action: create,
          children: `A project holds data sources, the contracts on their tables, and the recipients to notify. ${
            mayCreate
              ? "Create the first one, then connect a database to it."
              : "An Admin can create the first one, or give you access to one."
          }`,
        }}
      >
        {(project, row) => (
          <Tr {...row}>
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
            <Td className="w-8">
              <RowMenu of={project.name}>
                <MenuItem icon={Users} onSelect={() => setTask({ kind: "members", project })}>
                  Members
                </MenuItem>
                {mayManage(project.id) && (
                  <>
                    <MenuItem icon={Pencil} onSelect={() => setTask({ kind: "edit", project })}>
                      Edit
                    </MenuItem>
                    <MenuItem icon={Trash2} danger onSelect={() => setTask({ kind: "delete", project })}>
                      Delete
                    </MenuItem>
                  </>
                )}
              </RowMenu>
            </Td>
          </Tr>
        )}
      </ListPage>
      <ProjectDialog
        key={task?.kind === "edit" ? task.project.id : "new"}
        {...(task?.kind === "edit" && { project: task.project })}
        open={task?.kind === "create" || task?.kind === "edit"}
        onOpenChange={(open) => !open && setTask(null)}
      />
      {task?.kind === "members" && <MembersDialog project={task.project} onClose={() => setTask(null)} />}
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
      <p>
        This cannot be undone. You can delete a project only while it has no data sources and no recipients.
      </p>
    </ConfirmDialog>
  );
}
